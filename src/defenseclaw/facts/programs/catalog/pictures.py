"""Pictures: netpbm, graphs, image formats, viewers and painters."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.verbs import each, plain

# Filters from one picture format to another: operands are read, the result is printed.
_TO_PNM = (
    "411toppm anytopnm asciitopgm atktopbm avstopam bioradtopgm bmptopnm bmptoppm brushtopbm cameratopam cistopbm cmuwmtopbm"
    "ddbugtopbm escp2topbm eyuvtoppm fiascotopnm fitstopnm fstopgm g3topbm gemtopbm gemtopnm giftopnm gouldtoppm hdifftopam"
    "hipstopgm icontopbm ilbmtoppm imgtoppm infotopam jbigtopnm jpeg2ktopam jpegtopnm leaftoppm lispmtopgm macptopbm mdatopbm"
    " mgrtopbm mrftopbm mtvtoppm neotoppm palmtopnm pc1toppm pcdovtoppm pcxtoppm pdbimgtopam pfmtopam pi1toppm pi3topbm picttoppm"
    " pjtoppm pktopbm pngtopam pngtopnm psidtopgm pstopnm qrttoppm rasttopnm rawtopgm rawtoppm rgb3toppm rlatopam rletopnm"
    " sbigtopgm sgitopnm sirtopnm sldtoppm spctoppm spottopgm sputoppm srftopam st4topgm sunicontopnm svgtopam tgatoppm"
    " thinkjettopbm tifftopnm vidtoppm wbmptopbm winicontopam winicontoppm xbmtopbm ximtoppm xpmtoppm xvminitoppm xwdtopnm"
    " ybmtopbm yuvsplittoppm yuvtoppm yuy2topam zeisstopnm"
)
_PAM = (
    "pamaddrand pamaltsat pamarith pambackground pambayer pambrighten pamcat pamchannel pamcomp pamcrater pamcut pamdeinterlace"
    "pamdepth pamdice pamditherbw pamedge pamendian pamenlarge pamfile pamfix pamfixtrunc pamflip pamfunc pamgauss pamgetcolor"
    "pamgradient pamhomography pamhue pamlevels pamlookup pammasksharpen pammixinterlace pammixmulti pammosaicknit pamoil"
    " pampaintspill pamperspective pampick pampop9 pamrecolor pamrestack pamrgbatopng pamrubber pamscale pamseq pamshadedrelief"
    " pamsharpmap pamsharpness pamshuffle pamsistoaglyph pamslice pamsplit pamstack pamstereogram pamstretch pamstretch-gen"
    " pamsumm pamsummcol pamtable pamthreshold pamtilt pamtoavs pamtodjvurle pamtofits pamtogif pamtohdiff pamtohtmltbl"
    " pamtojpeg2k pamtompfont pamtooctaveimg pamtopam pamtopdbimg pamtopfm pamtopng pamtopnm pamtoqoi pamtosrf pamtosvg pamtotga"
    " pamtotiff pamtouil pamtowinicon pamtoxvmini pamtris pamundice pamunlookup pamvalidate pamwipeout pamx"
)
_PBM = (
    "pbmclean pbmlife pbmmake pbmmask pbmminkowski pbmnoise pbmpage pbmpscale pbmreduce pbmtext pbmtextps pbmto10x pbmto4425"
    "pbmtoascii pbmtoatk pbmtobbnbg pbmtocis pbmtocmuwm pbmtoepsi pbmtoepson pbmtoescp2 pbmtog3 pbmtogem pbmtogo pbmtoibm23xx"
    "pbmtoicon pbmtolj pbmtoln03 pbmtolps pbmtomacp pbmtomatrixorbital pbmtomda pbmtomgr pbmtomrf pbmtonokia pbmtopgm pbmtopi3"
    " pbmtopk pbmtoplot pbmtoppa pbmtopsg3 pbmtoptx pbmtosunicon pbmtowbmp pbmtox10bm pbmtoxbm pbmtoybm pbmtozinc pbmupc"
)
_PGM = (
    "pgmabel pgmbentley pgmcrater pgmdeshadow pgmedge pgmenhance pgmhist pgmkernel pgmmake pgmmedian pgmminkowski pgmmorphconv"
    "pgmnoise pgmnorm pgmoil pgmramp pgmslice pgmtexture pgmtofs pgmtolispm pgmtopbm pgmtopgm pgmtoppm pgmtosbig pgmtost4"
)
_PNM = (
    "pnmalias pnmarith pnmcat pnmcolormap pnmcomp pnmconvol pnmcrop pnmcut pnmdepth pnmenlarge pnmfile pnmflip pnmgamma pnmhisteq"
    "pnmhistmap pnmindex pnminterp pnminvert pnmmargin pnmmercator pnmmontage pnmnlfilt pnmnoraw pnmnorm pnmpad pnmpaste pnmpsnr"
    "pnmquant pnmquantall pnmremap pnmrotate pnmscale pnmscalefixed pnmshear pnmsmooth pnmsplit pnmstitch pnmtile pnmtoddif"
    " pnmtofiasco pnmtofits pnmtojbig pnmtojpeg pnmtopalm pnmtopclxl pnmtoplainpnm pnmtopng pnmtopnm pnmtops pnmtorast pnmtorle"
    " pnmtosgi pnmtosir pnmtotiff pnmtotiffcmyk pnmtoxwd"
)
_PPM = (
    "ppm3d ppmbrighten ppmchange ppmcie ppmcolormask ppmcolors ppmdcfont ppmddumpfont ppmdim ppmdist ppmdither ppmdmkfont ppmdraw"
    "ppmfade ppmflash ppmforge ppmglobe ppmhist ppmlabel ppmmake ppmmix ppmnorm ppmntsc ppmpat ppmquant ppmquantall ppmrainbow"
    "ppmrelief ppmrough ppmshadow ppmshift ppmspread ppmtoacad ppmtoapplevol ppmtoarbtxt ppmtoascii ppmtobejeweled ppmtobmp"
    " ppmtoeyuv ppmtogif ppmtoicr ppmtoilbm ppmtojpeg ppmtoleaf ppmtolj ppmtolss16 ppmtomap ppmtomitsu ppmtompeg ppmtoneo ppmtopcx"
    " ppmtopgm ppmtopi1 ppmtopict ppmtopj ppmtopjxl ppmtopuzz ppmtorgb3 ppmtosixel ppmtospu ppmtoterm ppmtotga ppmtouil"
    " ppmtowinicon ppmtoxpm ppmtoyuv ppmtoyuvsplit ppmtv ppmwheel"
)
_FILTER = E("h,help version verbose quiet plain", "search*", out=Out.CONTENT, style=Style.SINGLE)
_VIEWERS = (
    "viu timg chafa catimg img2txt cacaview asciiview feh sxiv nsxiv imv swayimg qiv eog eom gwenview ristretto gthumb geeqie"
    "nomacs viewnior qimgv xv pqiv loupe display animate gifview vwebp inkview icat xzgv gpicview mirage photoqt"
)
_PAINTERS = "gimp gimp-2.10 gimp-console krita aseprite darktable rawtherapee digikam shotwell hugin pinta mypaint drawing kolourpaint xpaint mtpaint rawstudio fotoxx ansel"
_INSPECTORS = (
    "tiffinfo tiffdump gifdiff pngcheck pngmeta pnginfo exifprobe opj_dump webpinfo heif-info vipsheader rdjpgcom compare identify-im6"
    "qrtool zbarcam zxing dmtxread jpeginfo jxlinfo fitsverify fitsheader"
)
_CONVERTERS = (
    "cjpeg djpeg wrjpgcom djxl avifdec cavif webpmux img2webp heif-enc heif-dec heif-thumbnailer opj_compress opj_decompress"
    "tiffcp tiffcrop tiff2pdf tiff2ps tiff2bw tiff2rgba tiffmedian tiffset tiffsplit fax2tiff ras2tiff raw2tiff gif2rgb giftool icotool wrestool"
    "conjure stream convert-im6 mogrify-im6 composite-im6 montage-im6 import-im6 dcraw_emu simple_dcraw ufraw ufraw-batch enfuse"
    " enblend align_image_stack nona pto_gen pto_var pto_merge cpfind cpclean autooptimiser hugin_executor vips vipsthumbnail vipsedit guetzli waifu2x-ncnn-vulkan"
    " realesrgan-ncnn-vulkan realcugan-ncnn-vulkan rembg img2sixel sixel2png autotrace mkbitmap resvg usvg cairosvg scour sng pngfix"
    " dmtxwrite zint qr oxipng advpng advdef advmng advzip pngout ect jhead exifautotran exifrename jp2a pastel gif2apng apng2gif apngasm apngdis"
    " xcftools xcf2png xcf2pnm xcfinfo svg2png svg2pdf rsvg-view fig2dev xfig dia figtoipe ipetoipe aafigure graph-easy gifski giph img2djvu jbig2 jbig2dec pbm2g3 qoiconv imgp imageworsener"
)
_GRAPHS = (
    "acyclic bcomps ccomps cluster diffimg dijkstra edgepaint gml2gv graphml2gv gv2gml gv2gxl gvcolor gvgen gvmap gvmap.sh"
    "gvpack gxl2dot gxl2gv mm2gv nop osage patchwork sccmap sfdp tred twopi unflatten vimdot dotty lneato"
)


def _per_image(names: str) -> dict[str, E]:
    """Programs that run a command for every picture in a stream."""
    return each(names, E("check", "command*", special=lambda inv: launch(inv, joined=True)))


PROGRAMS: Mapping[str, E] = {
    **each(" ".join((_TO_PNM, _PAM, _PBM, _PGM, _PNM, _PPM)), _FILTER),
    **_per_image("pamexec"),
    **each(_GRAPHS, E("T= o,output=write G= N= E= K= O f= n= l= s= q v x d= m= g= c= V help", "search*", out=Out.CONTENT, style=Style.SINGLE)),
    **each(_INSPECTORS, E("o=log v q m= a json h,help version", "search*", out=Out.CONTENT)),
    **each(_VIEWERS, E("w,width= h,height= s,size= o=log bg= t,transparent r,recursive n,name once F,fullscreen H= W= help version", "list*")),
    **each(_PAINTERS, E("n,new-instance s,no-splash b,batch=word i,no-interface o,output=write h,help version", "search*")),
    **each(_CONVERTERS, E("o,out,output=write out-dir=mkdir dir=mkdir interlace= strip= quality= q= s= r,recursive v k= t,threads= n= p= f= i= c= h,help V,version", "search*")),
    **plain("scanimage-gui simplescan xsane skanlite skanpage"),
}  # fmt: skip
