"""The workshop: helpers of developers, models on the command line, text and number tools, scientific programs."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import IssueCode, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.sending import sends
from defenseclaw.facts.programs.verbs import each, plain


def _code(inv: Invocation) -> None:
    """An interpreter whose language is not read: its text decides what happens."""
    for option, word in inv.parsed.values:
        if option.role == "shell-command":
            inv.trait(Trait.INLINE_CODE)
            inv.data(word, inv.consumer(word))
            inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    for word in [] if inv.parsed.has("e", "eval") else inv.parsed.operands[:1]:
        inv.path(word, PathAccess.EXECUTE)


_TEXT = "xzgrep bzgrep lzgrep xzegrep xzfgrep bzegrep bzfgrep xzdiff xzcmp zdiff zcmp bzdiff bzcmp xzless xzmore bzless bzmore lzless lzmore zstdgrep zstdless keep-header sk skim peco percol choose hck xan qsv csvtk csvstack csvjoin csvclean csvformat sql2csv tad teip sad sd ambr ambs rpl rep huniq runiq topfew frawk goawk zet combine ifne pee vidir isutf8 errno lckdo mispipe zrun ndjson-cli jnv jqp jaq jql jp jmespath jsonpp json_pp json_xs json json-diff jd jdiff gojq jtc jshon jsonpath jwt jwt-cli yamlfmt yaml2json json2yaml remarshal toml2json toml2yaml tomlq confget crudini augtool augparse hcl2json hclfmt plist2json xmlformat csvlens tabview datamash tabulate tty-table termgraph spark sparklines asciigraph gnomon plot eplot feedgnuplot youplot uplot prettybat batdiff batman batwatch batpipe hexyl hexedit hexcurse bvi bvedit bgrep binview heksa zek gojsonstruct json-to-go uuid uuidparse uuidcdef base58 base45 basenc b3sum xxhsum xxh64sum xxh128sum xxh32sum rhash cksfv shake128sum sha3sum sha3-256sum sha512-256sum keccak-256sum whirlpool-hash tthsum md5pass cfv par2 par2create par2verify par2repair ssss ascii asciitable unicode uni chars uniname unicode_start unicode_stop ucd recode recodewith convmv pyrenamer prename file-rename mmv vimv qmv qcp edir massren rnr renameutils deheader dupseek fdupes jdupes rmlint fclones rdfind duff findup czkawka_cli dupeguru hardlink hardlinks symlinks chase namei pathchk dircolors vivid lscolors tidy-html5 pcre2grep pcregrep agrep tre-agrep sgrep glark sift pt ucg ripgrep-all rga rga-fzf semantic-grep codesearch csearch cindex cgrep livegrep sourcegraph src global gtags gtags-cscope htags cquery ccls universal-ctags readtags vgrep"
_NUMBERS = "bitwise qalc qalculate calc genius units gunits wcalc apcalc speedcrunch insect numbat fend kalker rink eva clac orpie mcl primecount primesieve num-utils numgrep numprocess numsum octave-cli scilab scilab-cli freemat yorick ferret ncl grads gmt gmtinfo cdo ncdump ncgen nccopy ncks ncra ncrcat ncview h5dump h5ls h5diff h5repack h5stat h5copy h5import h5toh4 hdp gdalinfo gdal_calc.py gdal_merge.py gdal_rasterize gdal_polygonize.py gdaladdo gdalbuildvrt gdaldem gdalsrsinfo ogrinfo ogrmerge.py gdal qgis qgis_process saga_cmd grass proj cs2cs cct gie geod invproj pdal lasinfo las2las osmium osmconvert osmfilter osmosis osmctools imposm osrm-extract osrm-contract osrm-routed valhalla_service graphhopper mapnik-render tilemaker pmtiles mbutil mb-util tile-join shp2pgsql raster2pgsql pgsql2shp cesium xtiff pspp gretl gretlcli jags stan cmdstan winbugs weka mlpack_knn vw fasttext libsvm svm-train svm-predict svm-scale liblinear xgboost lightgbm catboost"
_BIOLOGY = "fastqc multiqc fastp cutadapt trimmomatic trim_galore bbduk.sh bwa bwa-mem2 bowtie bowtie2 bowtie2-build hisat2 star minimap2 samtools bcftools tabix bgzip htsfile bedtools vcftools plink2 gatk freebayes varscan deepvariant snpeff vep blastn blastp blastx tblastn tblastx makeblastdb blastdbcmd diamond mmseqs hmmer hmmsearch hmmscan hmmbuild jackhmmer muscle mafft clustalo clustalw t_coffee raxml raxml-ng iqtree iqtree2 fasttree phyml mrbayes beast seqkit seqtk fastq-dump fasterq-dump prefetch sra-stat vdb-validate salmon kallisto rsem featurecounts htseq-count stringtie cufflinks trinity spades.py megahit velvet canu flye quast busco prokka prodigal kraken2 bracken metaphlan humann checkm mash sourmash jellyfish kmc cellranger bustools kb macs2 macs3 homer deeptools bamcoverage igv igvtools emboss seqret gmx namd2 vmd pymol chimera chimerax lammps lmp cp2k.psmp pw.x vasp_std orca orca-c gaussian g16 nwchem psi4 openbabel obabel obminimize rdkit autodock vina smina"
_HPC = "mpijavac mpif77 mpif90 mpifort mpic++ orterun prun prte ompi_info mpichversion hydra_nameserver pbsnodes pbsdsh qalter qhold qrls qrerun qmgr qacct qconf qhost qlogin qmod qresub qselect qsh bqueues bhosts bhist bmod bpeek bresume bstop lsload lshosts condor_q condor_submit condor_rm condor_status condor_history condor_hold condor_release sbcast scrontab sdiag seff sreport sstrigger sacctmgr strigger slurmd slurmctld slurmdbd flux-core nodeset gmetric gstat-ganglia gstat nvidia-cuda-mps-control cuda-gdb cuobjdump nvdisasm nvprof nsys nsys-ui compute-sanitizer cuda-memcheck rocprof rocminfo rocm-bandwidth-test hipconfig hipify-perl hipify-clang clinfo oneapi-cli sycl-ls vtune advixe-cl inspxe-cl tau_exec scorep scalasca darshan-parser papi_avail papi_native_avail likwid-bench likwid-features likwid-powermeter hpl ior mdtest osu_bw"
_MISC = (
    "graphql-inspector apollo gqlgen graphqurl altair wuzz wsdl2h soapui dephpugger tmt fmf testing-farm sfdk gotelemetry gonew gorename guru gomvpkg goyacc digraph fiximports toolstash callgraph present2md present godex splitdwarf html2article gotype benchcmp "
    "kickstart ksvalidator ksflatten lorax livemedia-creator image-builder composer-cli mkosi mkosi-initrd debos elbe yocto-check bmaptool kiwi kiwi-ng vmdebootstrap live-build lb cubic casper nrfjprog nrfutil mcumgr bossac teensy_loader_cli dfu-programmer stlink openfpgaloader iceprog icepack nextpnr-ice40 nextpnr-ecp5 ecppack gtkwave ngspice magic klayout xschem qucs kicad pcbnew gerbv gerbview freerouting openroad sv2v surelog ghdl-ls cocotb-config fusesoc edalize slang verible-verilog-lint svlint"
    "jrnl nb dnote tasksh taskell ultralist dstask calcure when wyrd khard mutt_oauth2 ledger hledger hledger-ui hledger-web beancount bean-check bean-query bean-report bean-web fava gnucash gnucash-cli watson timetrap ti bartib timetrace klog doing dijo habitctl habito pomodoro pomo porsmo tomato hoard navi pet marker keep tldr-c-client notes zk denote obsidian-cli emanote neuron mindforger freeplane xmind drawio draw.io yed dbeaver dbgate beekeeper-studio pgadmin4 robo3t mongodb-compass tableplus rainfrog gobang lazysql harlequin"
    " ansi aha ansi2html ansi2txt ansifilter term-transcript asciinema-agg tmuxp smug teamocil byobu byobu-config byobu-screen dvtm abduco dtach mtm twin 3mux tym"
    " bd beads backlog td taskbook tb topydo todoman lazyjira jira-cli jiratui go-jira linear-cli gh-dash gitmoji gitmoji-cli git-cz opencommit oco aicommits aicommit czg cocogitto cog jump z.lua zlua pazi fzy fpp shadowenv envchain envdir envuidgid setuidgid softlimit multilog tai64n tai64nlocal fghack pgrphack readproctitle svok svscan svscanboot supervise s6-svc s6-svstat s6-rc s6-log svlogd chpst runsvchdir"
    " x ipfs ipfs-cluster-ctl jupyterhub nbqa jcat datasette csvs-to-sqlite sqlite-utils sqlite3_analyzer sqldiff sqlite3-rsync litestream rqlite rqlited dqlite dqlite-demo lmdb mdb_stat mdb_dump mdb_copy mdb_load db_dump db_load db_stat db_verify db_recover db_upgrade gdbmtool gdbm_dump gdbm_load tchmgr kchashmgr ldb leveldbutil rocksdb_ldb sst_dump"
)
_SHOWS = "lesspipe lessfile lesskey lessopen manpath man-recode colormake colorgcc grc grcat ccze tspin humanlog pino-pretty bunyan fblog hl jl logdissect lwatch logtail logtail2 logcheck swatch since retail"
_LLM = "llm mods sgpt shell-gpt aichat tgpt chatgpt chatblade gpt ask fabric chatgpt-cli gptcli shellgpt elia oterm parllama"
_MODELS = "llama-cli llama-run llama-simple llama-bench llama-quantize llama-perplexity llama-tokenize llama-embedding llama-gguf-split llama-imatrix llama-mtmd-cli llama-llava-cli llamafile whisper whisper-cli whisper-cpp whisperx insanely-fast-whisper faster-whisper mlx_lm.generate mlx_lm.convert mlx_whisper lms gpt4all local-ai koboldcpp exllamav2 sdcpp comfy invokeai ramalama lemonade nexa-cli foundry optimum-cli autotrain axolotl lm_eval lm-eval unsloth-cli llamafactory-cli tokenizers sentencepiece spm_train spm_encode spm_decode onnxruntime onnxsim trtexec tflite_convert saved_model_cli tfds toco ct2-transformers-converter gguf-dump convert-hf-to-gguf"
_MODEL_SERVERS = "llama-server vllm text-generation-launcher text-embeddings-router sglang lmdeploy tritonserver tensorflow_model_server torchserve open-webui litellm xinference aphrodite tabbyml tabby localai fastchat "
_MODEL_OPTIONS = "m,model= hf= hf-repo= hf-file= p,prompt=text f,file=source n,n-predict= c,ctx-size= t,threads= ngl,gpu-layers= n-gpu-layers= temp= l,language= o,output=log output_format= task= i,interactive conversation cnv sys=text h,help version host= port= no-warmup"
_OPTIONS = "o,output=log c,config=settings f,format= n= t= s= d= l= w= p= k= a,all i v,verbose q,quiet r,recursive title= description=text priority= type= context= B= A= C= color? min= max= json csv h,help V,version"

PROGRAMS: Mapping[str, E] = {
    **each(f"{_TEXT} {_SHOWS}", E(_OPTIONS, "search*", out=Out.CONTENT)), **plain(f"{_NUMBERS} {_BIOLOGY} {_HPC} {_MISC}", _OPTIONS, out=Out.CONTENT),
    **sends(_LLM, "api.openai.com", "m,model= s,system=text shell code c,continue chat= repl= t,template= p,pattern= a,attachment=source f,file=source role= stream temperature= q,quiet format h,help version", "text*", out=Out.NETWORK),
    **plain(_MODELS, _MODEL_OPTIONS, "text*"), **plain(_MODEL_SERVERS, _MODEL_OPTIONS, "word*", ops=(O.LISTEN,)),
    **each("raku perl6 rakudo moar", E("e=shell-command n p I= M= c doc ll-exception stagestats target= V v,version h,help", "word*", ordered=True, special=_code)),
    **each("timex gtime with-readline ledit scriptlive", E("f= o=log s p h,help", "command*", ordered=True, special=launch)),
}  # fmt: skip
