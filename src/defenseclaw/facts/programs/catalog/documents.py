"""Documents: TeX, PDF, office files, markup, manual pages, dictionaries."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style
from defenseclaw.facts.programs.sending import sends
from defenseclaw.facts.programs.verbs import each, lists, plain

_TEX = (
    "tex latex latex-dev pdftex pdflatex-dev xetex luatex luahbtex lualatex-dev context amstex etex eplain ptex uptex platex"
    "uplatex bibtex8 bibtexu makeindex xindy texindy upmendex mf mft mp mpost pmpost gftopk pktogf tangle weave ctangle cweave tie"
    "patgen dvipdfm dvipdfmx xdvipdfmx dvipdft dvicopy dvisvgm dvipng dviconcat dviselect dvitomp pdfcrop pdfjam pdfbook2 pdfnup"
    " texfot arara texliveonfly latexdiff latexpand latexrun lyx texmaker texstudio kile"
)
_TEX_LOOKS = "texdoc texdoctk kpsewhich kpsepath kpsestat dvitype chklref lacheck texloganalyser xdvi detex opendetex untex tlshell"
_PDF = (
    "ps2eps epstopdf epspdf ps2ascii ps2epsi ps2pdf12 ps2pdf13 ps2ps ps2ps2 psbook psnup psselect pstops psresize psmerge epsffit"
    "pdf2dsc pdf2ps pdfopt pdfdetach pdfattach pdftops mutool mudraw pdf2djvu ddjvu djvups djvm c44 cjb2 cpaldjvu csepdjvu"
    "pdftk-java pdfcpu pdfposter pdfxup hocr2pdf pdfarranger krop briss k2pdfopt pdfsandwich pdf2htmlex unpaper pdfchain"
)
_PDF_LOOKS = "pdffonts pdfinfo pdfsig pdfgrep djvused djvutxt djvudump comparepdf mupdf mupdf-gl mupdf-x11 evince okular zathura xpdf qpdfview atril xreader sioyek llpp apvlv djview foliate tdf termpdf.py gv ghostview kghostview papers"
_BOOKS = "calibredb calibre-debug ebook-meta ebook-polish ebook-edit ebook-viewer fetch-ebook-metadata lrfviewer web2disk kindlegen epubcheck epub2txt mobitool bookworm fbreader epy baca"
_SLIDES = "mdp presenterm lookatme patat slides sent impressive pdfpc pympress backslide cleaver mdx-deck tpp"
_XML = "xsltproc xalan saxon saxonb-xslt fop dblatex xmlto xml xmlcatalog xmlwf xml2 2xml html2 csv2 2csv htmlq pup xidel hxselect hxnormalize hxpipe hxunpipe hxtoc hxclean basex jing trang rnv xmlsec1 xpath xml_grep xml_pp xml_split xml_merge tidyp "
_MARKUP = (
    "asciidoc a2x cmark cmark-gfm multimarkdown markdown markdown2 markdown_py kramdown redcarpet maruku rdiscount pandoc-crossref md2html mdless mdcat"
    "grip md-to-pdf markmap docx2pdf odt2txt odt2pdf doc2txt catppt xls2csv xlsx2json ssindex ssgrep unrtf rtf2html wvhtml wvtext catdvi"
    "js-beautify css-beautify html-beautify html2haml html2slim haml2html html2md turndown rst2html rst2html5 rst2latex rst2man rst2odt rst2s5 rst2xml rst2pseudoxml docutils"
    " wiki2beamer txt2tags txt2man ronn-ng go-md2man scdoc texi2any makeinfo texi2dvi texi2pdf texi2html pod2man pod2html pod2text pod2usage podchecker"
    " man2html mandoc tbl gtbl eqn neqn pic gpic refer soelim grn grops grotty grohtml gtroff preconv lkbib lookbib indxbib zim-tool gollum"
)
_OFFICE = "gnumeric localc lowriter loffice loimpress lodraw lobase lomath wps et wpp onlyoffice-desktopeditors calligrawords calligrasheets scalc swriter simpress sdraw focuswriter scribus sc sc-im visidata vd tidy-viewer"
_WORDS = "aspell hunspell ispell spell nuspell enchant enchant-2 languagetool languagetool-commandline style diction sdcv dict dictfmt wn wordnet dictzip goldendict kdict gnome-dictionary stardict"
_READS = "x,xml t,text f,format= n,number= p,page= first= last= q,quiet v,verbose a,all c= d= e= i= l= r= s= w,width= o,output=log h,help V,version"
_MAKES = "o,output,out=write O= d,output-dir,output-directory=mkdir p,pages= f,from= t,to= i= n= q,quiet v,verbose c,config=settings e= s= l= w= b= a= x= y= m= k h,help V,version interaction= halt-on-error jobname= shell-escape"

PROGRAMS: Mapping[str, E] = {
    **each(_TEX, E(_MAKES, "search*", style=Style.SINGLE)),
    **each("tlmgr", E("repository=maybe-url user-mode usermode usertree= dry-run gui q v", verbs={
        **each("install update", E("all self list dry-run force no-depends reinstall", ops=(O.FETCH,))), **each("remove uninstall", E("all force dry-run no-depends", ops=(O.DELETE,))), "*": E("only-installed data= list global file all json")})),
    **plain("texhash mktexlsr fmtutil fmtutil-sys updmap updmap-sys updmap-user getnonfreefonts texconfig paperconfig"),
    **each(f"{_TEX_LOOKS} {_PDF_LOOKS}", E(_READS, "search*", out=Out.CONTENT)),
    **each(f"{_PDF} {_BOOKS} {_MARKUP}", E(_MAKES, "search*", out=Out.CONTENT)),
    **each(_SLIDES, E("theme= notrans c invert s,slide= n,nofade e,export? l,list-themes present image-protocol= h,help version", "search*")),
    **each(f"{_XML} ", E(_MAKES, "search*", out=Out.CONTENT)), **each(_OFFICE, E("headless convert-to= outdir=mkdir f= theme= h,help V,version", "search*")),
    **each(_WORDS, E("a,pipe l,list d,lang= c,check=edit mode= p,personal= n,non-interactive e,exact-search u,use-dict= 2,data-dir= x,only-data-dir j,json-output h,host= P= m= f b s h,help v,version", "word*", out=Out.CONTENT)),
    **sends("trans translate-shell deep-translator argos-translate gtrans", "translate.googleapis.com", "f,from= t,to= s,source= from-lang= to-lang= b,brief p,play sp d,dictionary l= I,shell i,input=source o,output=write", "text*"),
    **lists("argospm perldoc install-info info2man pinfo khelpcenter devhelp zeal yelp tldr-lint tealdeer how2 howdoi bro eg kb cheat.sh cht.sh", "f= q= m T U t X"),
}  # fmt: skip
