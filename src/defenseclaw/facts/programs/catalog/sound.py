"""Sound and film: players, recorders, encoders, taggers, discs, downloads of media."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.verbs import each, plain

_PLAYERS = (
    "rec play soxi mpg123 mpg321 ogg123 madplay timidity fluidsynth wildmidi spd-say espeak-ng mimic piper cmus-remote mocp moc"
    "deadbeef audtool audacious clementine strawberry rhythmbox rhythmbox-client banshee quodlibet exaile spt spotify spotifyd ncspot"
    "librespot playerctld mpdscribble ncmpc vimpc smplayer celluloid totem dragon kaffeine xine haruna nvlc rvlc svlc qvlc pyradio"
    " castero mpsyt ytfzf youtube-viewer pipe-viewer straw-viewer lollypop amberol kew termusic musikcube sayonara vvave parole"
    " pw-play aplaymidi padsp tizonia mps-youtube somafm mopidy mopidyctl shairport-sync snapclient snapserver squeezelite"
)
_MIXERS = (
    "pamixer pulsemixer pavucontrol pacmd qpwgraph helvum easyeffects alsactl alsaucm alsabat alsaloop aconnect aseqdump aseqsend"
    "jack_connect jack_disconnect jack_lsp jack_control qjackctl a2jmidid a2j_control pw-dump pw-link pw-top pw-mon pw-metadata pw-loopback"
    "pw-config pw-profiler spa-inspect wireplumber ponymix ncpamixer volumeicon pasystray"
)
_INSPECT = "ogginfo opusinfo mutagen-inspect cueprint cuebreakpoints mp4file mp4track mp4dump isosize isoinfo guessit mediainfo-gui id3info sndfile-info sndfile-metadata-get aubioonset aubiopitch aubiotrack bpm-tag audiowaveform"
_ENCODERS = (
    "oggdec opusdec vorbisgain mp3gain aacgain faac faad twolame toolame wavpack wvunpack wvgain mac shntool shnsplit shnconv"
    "cuetag cuetag.sh normalize-audio rsgain loudgain r128gain lilypond convert-ly midi2ly abc2midi abc2ps abcm2ps abc2xml csound musescore"
    "musescore3 mscore mscore3 mencoder x264 x265 svtav1encapp aomenc aomdec rav1e dav1d vpxenc vpxdec vspipe av1an ab-av1"
    " ffmpeg-normalize ffmpegthumbnailer totem-video-thumbnailer mkvpropedit mp4art mp4chaps mp4extract mp4subtitle mp4tags"
    " atomicparsley gpac mp4decrypt mp4fragment mp4dash avidemux avidemux3_cli kdenlive_render openshot flowblade shotcut pitivi"
    " natron ghb handbrake ccextractor ffsubsync alass subliminal tvnamer mnamer filebot agg asciicast2gif ttygif ttystudio"
    " sndfile-convert sndfile-resample ssrc sclang chuck vorbiscomment metaflac id3v2 id3tool mid3v2 mid3iconv moggsplit kid3-cli eyed3 beet picard"
    " whipper transcode dvdauthor spumux mplex ffmpeg2theora flvtool2 yamdi qt-faststart untrunc mpgtx lxdvdrip tcextract png2yuv spleeter demucs audiveris"
)
_RECORDERS = (
    "wf-recorder gpu-screen-recorder simplescreenrecorder recordmydesktop byzanz-record peek kooha pw-record pw-cat arecordmidi"
    "fswebcam streamer guvcview cheese motion webcamoid qv4l2 v4l2loopback-ctl audacity ardour lmms hydrogen obs-cli obs-cmd wl-screenrec kazam vokoscreen vokoscreenng termrec"
)
_DISCS = "cdparanoia cdda2wav icedax abcde ripit cdrdao readom genisoimage mkisofs isohybrid xorriso xorrisofs makemkvcon dvdbackup vobcopy lsdvd brasero k3b xfburn asunder sound-juicer"
_DOWNLOADS = "ytmdl ani-cli mov-cli lobster get_iplayer bdfr snscrape twint ytdl-sub yark bashpodder podget gpo gpodder castget livestreamer ytarchive yutto bbdown nndownload tiktok-scraper qobuz-dl deemix tidal-dl scdl bandcamp-dl mangal mangadex-downloader freyr"
_OPTIONS = "o,output,out=write d,dir,output-dir=mkdir f,format= i,input=source s= t= l= v,volume= q,quiet b,bitrate= r,rate= c= n= a,album= artist= p= y,yes h,help V,version"

PROGRAMS: Mapping[str, E] = {
    **each(f"{_PLAYERS} {_MIXERS}", E("o= d= v,volume= m,mute unmute i,increase= r= t,toggle-mute set-volume= get-volume get-mute default-source s= l f q,quiet n= h,help version", "list*")),
    **each(_INSPECT, E("v j,json f,format= d= b= i=source h,help version", "search*", out=Out.CONTENT)),
    **each(f"{_ENCODERS} {_RECORDERS}", E(_OPTIONS, "search*")), **each(_DISCS, E(f"{_OPTIONS} dev= speed= m= J R joliet rock volid= V=", "search*")),
    **each("cdrecord wodim growisofs", E("dev= speed= v blank= eject dao tao multi Z=source M=source dvd-compat dummy h,help version", "source*", ops=(O.DISK_WRITE,), preview="help version dummy")),
    **each(_DOWNLOADS, E(_OPTIONS + " subreddit= user= skip= num= limit= keyword= format-preset= trim-to= choice= export-json=write no-prompt-select", "maybe-url*", ops=(O.FETCH,))),
    **each("pasuspender", E("s,server= h,help version", "command*", ordered=True, special=launch)),
    **plain("scsynth supercollider puredata sonic-pi speech-dispatcher ttylog aubio"),
}  # fmt: skip
