"""The desktop: terminals, windows, menus, settings, browsers, chat, games."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import Dialect
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Style
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.verbs import each, plain
from defenseclaw.facts.roles import apply_role

_RUN_MARKS = frozenset({"-e", "-x", "--", "--execute", "-E"})


def _terminal(inv: Invocation) -> None:
    """A terminal runs the words behind -e, -x or --, or the text of --command."""
    for name in ("command", "run-command"):
        for word in inv.parsed.all_values(name):
            inv.run_code(word, How(dialect=Dialect.POSIX))
    words = inv.words[1:]
    marks = [i for i, word in enumerate(words) if word.value in _RUN_MARKS]
    inner = words[marks[0] + 1 :] if marks else []
    if len(inner) == 1:
        inv.run_code(inner[0], How(dialect=Dialect.POSIX))
    elif inner:
        inv.run(inner)


def _bare_terminal(inv: Invocation) -> None:
    """foot and its like: the operands are the command."""
    if any(word.value in _RUN_MARKS for word in inv.words[1:]) or not inv.parsed.operands:
        _terminal(inv)
    else:
        launch(inv)


def _idle(inv: Invocation) -> None:
    """swayidle runs texts after some time and around sleep."""
    words = inv.parsed.operands
    for at, word in enumerate(words[:-1]):
        if word.value in ("timeout", "resume", "before-sleep", "after-resume", "lock", "unlock"):
            code = words[at + (2 if word.value == "timeout" else 1) :][:1]
            for text in code:
                inv.run_code(text, How(dialect=Dialect.POSIX))


def _wine(inv: Invocation) -> None:
    """wine runs a program of Windows: a file of the project or of the prefix."""
    for word in inv.parsed.operands[:1]:
        apply_role(inv, "run", word)


_TERMINALS = (
    "xterm uxterm lxterm rxvt rxvt-unicode urxvt urxvtc gnome-terminal xfce4-terminal mate-terminal lxterminal qterminal deepin-terminal terminator"
    "tilix terminology konsole yakuake guake tilda sakura termite alacritty st contour rio ghostty x-terminal-emulator cool-retro-term hyper zutty aterm eterm mlterm"
    "kgx ptyxis gnome-console xdg-terminal-exec wezterm"
)
_SESSIONS = (
    "i3 sway hyprland bspwm openbox fluxbox icewm jwm xmonad qtile dwm herbstluftwm wmii enlightenment kwin kwin_x11 kwin_wayland mutter muffin"
    "marco xfwm4 xfce4-session xfce4-panel xfdesktop ksmserver lxsession lxpanel lxqt-session lxqt-panel mate-session mate-panel cinnamon cinnamon-session budgie-desktop"
    "weston wayfire river niri labwc xephyr xvfb xnest xwayland startx xinit sddm gdm gdm3 lightdm lxdm ly startplasma-wayland startplasma-x11 startxfce4 startkde gnome-session metacity compiz picom compton xcompmgr"
)
_BARS = "polybar polybar-msg waybar i3bar i3status i3status-rs i3blocks lemonbar tint2 conky trayer stalonetray yambar eww dzen2 xmobar swaynag i3-nagbar taffybar"
_CONTROL = (
    "herbstclient riverctl swww hyprpaper wbg nitrogen hsetroot xsetroot swaybg wal pywal betterlockscreen i3lock swaylock slock xlock xscreensaver"
    "xscreensaver-command xscreensaver-demo light-locker hyprlock physlock vlock wlr-randr kanshi redshift gammastep wlsunset hyprsunset xgamma xcalib dispwin"
    "colormgr copyq clipman cliphist parcellite greenclip ibus fcitx fcitx-remote fcitx5 fcitx5-remote im-config xkbcomp xkbprint unclutter xbindkeys sxhkd keyd"
    " numlockx xcape onboard florence dunst dunstctl mako makoctl swaync swaync-client tofi fuzzel bemenu walker synapse ulauncher krunner albert gmrun xfrun4"
    " wlogout nwg-look lxappearance qt5ct qt6ct kvantummanager obconf xfce4-settings-manager xfce4-appfinder xfce4-screenshooter xfce4-popup-whiskermenu xfce4-taskmanager"
    " ksnip shutter gnome-screensaver-command cinnamon-screensaver-command mate-screenshot cinnamon-settings grimshot hyprshot swappy satty wayshot hyprpicker xcolor gpick slop hacksaw "
)
_X = (
    "xhost xauth xlsclients xlsatoms xlsfonts xfontsel xmag xwd xwud xpr xclock oclock xeyes xcalc xlogo xbiff xload xman xrefresh xsetmode xsetpointer"
    "xvidtune xvinfo xdriinfo xvkbd glxgears eglinfo es2_info es2gears vkcube vkmark glmark2 glmark2-es2 xcursorgen xdpr xditview xkeystone xcmsdb xstdcmap xgc xmore xconsole viewres ico"
    "editres appres listres bitmap bmtoa atobm iceauth sessreg rstart smproxy lndir gccmakedep mkfontdir mkfontscale bdftopcf bdftruncate ucs2any wev wayland-info wayland-scanner weston-info libinput"
    " nvidia-settings nvidia-xconfig nvidia-modprobe nvidia-persistenced prime-select optimus-manager envycontrol amdgpu_top intel_gpu_frequency intel_gpu_time gpustat nvitop lact corectrl"
)
_KDE = (
    "balooctl balooctl6 baloosearch baloosearch6 balooshow kbuildsycoca5 kbuildsycoca6 kcmshell5 kcmshell6 kquitapp5 kquitapp6 kioclient kioclient5 kscreen-doctor krdc"
    "krfb kcalc kcharselect kcolorchooser kfind klipper kpackagetool5 kpackagetool6 lookandfeeltool kreadconfig6 kwriteconfig6 qdbus6 qdbus-qt5 systemsettings kwalletmanager5 kinfocenter ksystemlog partitionmanager"
    "plasma-discover plasma-apply-colorscheme plasma-apply-lookandfeel plasma-apply-wallpaperimage plasma-apply-cursortheme plasma-apply-desktoptheme solid-hardware ksysguard plasma-systemmonitor kmix kmail korganizer kactivities-cli kdebugsettings kde-geo-uri-handler kate-syntax-highlighter ark"
)
_GNOME = (
    "gnome-calculator gnome-calendar gnome-characters gnome-clocks gnome-disks gnome-extensions gnome-font-viewer gnome-keyring-daemon gnome-logs gnome-software"
    "gnome-system-monitor gnome-tweaks gnome-control-center gnome-maps gnome-weather gnome-music gnome-photos gnome-boxes gnome-contacts gnome-sound-recorder gnome-help gnome-power-statistics gtk-query-settings gtk-update-icon-cache gtk4-update-icon-cache"
    "gtk-builder-tool gtk4-builder-tool gresource glib-compile-schemas glib-compile-resources glib-genmarshal glib-mkenums seahorse baobab gucharmap dconf-editor simple-scan tracker tracker3 localsearch tinysparql gapplication gio-querymodules"
)
_XDG = "xdg-desktop-icon xdg-desktop-menu xdg-email xdg-icon-resource xdg-screensaver xdg-settings xdg-user-dir xdg-user-dirs-update update-desktop-database update-mime-database desktop-file-validate desktop-file-install desktop-file-edit appstreamcli appstream-util"
_FONTS = "fc-cache fc-cat fc-match fc-pattern fc-query fc-scan fc-validate fc-conflist font-manager otfinfo otf2ttf ttx fonttools pyftsubset pyftmerge woff2_compress woff2_decompress woff2_info ttfautohint sfnt2woff sfnt2woff-zopfli showfont figlist fontmake gftools cmap2enc mkttf consolechars psfgettable psfaddtable psfstriptable psfxtable kbd_mode dumpkeys setkeycodes getkeycodes chvt deallocvt fgconsole setmetamode resizecons screendump"
_FILES = "nautilus nemo caja dolphin thunar pcmanfm pcmanfm-qt spacefm konqueror krusader doublecmd ranger rifle nnn lf vifm yazi ya joshuto xplr clifm fff superfile mcview mcdiff sfm noice rox rover walk"
_EDITORS = "xed pluma mousepad leafpad geany featherpad xedit gnome-text-editor l3afpad notepadqq jedit kwrite apostrophe ghostwriter zettlr obsidian joplin logseq typora marktext zim tomboy gnote cherrytree"
_BROWSERS = "epiphany falkon midori qutebrowser surf netsurf dillo luakit vimb nyxt min badwolf amfora lagrange bombadillo librewolf waterfox icecat torbrowser-launcher google-chrome-beta thorium ungoogled-chromium tor-browser zen-browser floorp"
_CHAT = "thunderbird evolution geary claws-mail sylpheed discord element-desktop telegram-desktop pidgin hexchat konversation quassel teams zoom skypeforlinux mumble toot tut gomuks nheko iamb gajim dino senpai catgirl ii sic tiny halloy rtv tuir newsraft liferea akregator quiterss rssguard ddgr googler surfraw"
_FUN = (
    "xcowsay cowthink ponysay pokemonsay rolldice nyancat asciiquarium cbonsai lavat pridecat oneko xsnow genact wpm ttyper tt gtypist typespeed bastet tetris nethack angband crawl moon-buggy"
    "nsnake ninvaders greed 2048 2048-cli adventure arithmetic backgammon battlestar boggle canfield countmail cribbage gomoku hangman monop number phantasia pig pom primes quiz rain random"
    "robots rot13 snake trek wargames worms wump wtf mame dosbox dosbox-x scummvm mednafen snes9x fceux mgba desmume dolphin-emu pcsx2 rpcs3 ppsspp retroarch steam lutris heroic"
    " legendary gogdl nile minigalaxy itch tmatrix unimatrix cava glava projectm vitetris chess gnuchess stockfish fairymax xboard gnugo ufetch pfetch cpufetch gpufetch macchina hyfetch freshfetch nitch sysfetch paleofetch afetch owofetch wttr.in wego curseweather ansiweather tenki shtris"
    " pixterm terminal-parrot parrot dadjoke fortune-mod strfile unstr colortest tty-solitaire ttysolitaire bsdgames openttd supertuxkart minetest freeciv wesnoth 0ad"
)
_OPTIONS = "c,config=settings d,display= t,title= g,geometry= w,width= l,lines= p,placeholder= s= n= a= b= f= m= o= r= i v,verbose q,quiet dmenu color= align= list list-themes h,help V,v,version"
_PLAIN = " ".join(
    (_SESSIONS, _BARS, _CONTROL, _X, _KDE, _GNOME, _XDG, _FONTS, _BROWSERS, _CHAT, _FUN)
)

PROGRAMS: Mapping[str, E] = {
    **each(_PLAIN, E(_OPTIONS, "word*")), **each(f"{_FILES} {_EDITORS}", E("n,new-window standalone s,select c,cmd= h,help version", "list*")),
    **each(_TERMINALS, E("command=word run-command=word t,title=text T= g,geometry= working-directory= tab window maximize fullscreen profile= h,help v,version hold", special=_terminal)),
    **each("foot footclient kitty havoc", E("t,title=text a,app-id= W= w= D,working-directory= c,config=settings o,override= hold H e L m F s server= N h,help v,version", ordered=True, special=_bare_terminal)),
    **each("cage gamescope kiosk xss-lock kde-inhibit wrapgl vblank_mode prime-run proxychains-ng mullvad-exclude torify tsocks", E("m= d r s v l n W= H= w= h= f e power colorCorrect notifier= help version", "command*", ordered=True, special=launch)),
    "swayidle": E("w d C=settings S= h,help", special=_idle),
    **each("xautolock xidlehook", E("time= corners= locker=code notifier=code killer=code notify= killtime= detectsleep timer= not-when-fullscreen not-when-audio help", style=Style.SINGLE)),
    **each("wine wine64 wineconsole proton umu-run protontricks-launch box64 box86 mono-sgen", E("help version", ordered=True, special=_wine)),
    **plain("wineserver winecfg wineboot winedbg winepath winetricks protontricks protonup playonlinux bottles-cli"),
    **each("kstart5 kstart kstart6 gtk-launch dex exo-run", E("window= desktop= a e,environment= s,search-paths= d,dry-run h,help", "word*", ops=(O.EXECUTE,), ordered=True)),
}  # fmt: skip
