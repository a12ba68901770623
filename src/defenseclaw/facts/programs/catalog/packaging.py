"""Packages beside the great managers: distributions' helpers, builders, virtual environments, modules."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.sending import sends
from defenseclaw.facts.programs.verbs import each

_ARCH = "pacdiff pacgraph pacman-key pacman-conf pacman-db-upgrade pacman-mirrors paclist paclog-pkglist pacscripts pacsort pacini pacsift pacinfo rankmirrors makechrootpkg mkarchroot arch-nspawn updpkgsums extra-x86_64-build pkgctl namcap asp aurutils aur auracle aurvote trizen pikaur yaourt pakku rua powerpill archlinux-java vercmp repo-add repo-remove rebuild-detector checkrebuild informant mhwd mhwd-kernel archinstall archey bauh appman am appimagetool appimaged appimagelauncher eopkg swupd yup pacseek topgrade "
_VOID = "xbps-alternatives xbps-create xbps-dgraph xbps-digest xbps-fbulk xbps-fetch xbps-checkvers xbps-pkgdb xbps-reconfigure xbps-rindex xbps-uchroot xbps-uhelper xbps-src vsv xcheckrestart xi xlocate xdbg"
_ALPINE = "abuild-sign abuild-keygen newapkbuild checkapk lbu setup-alpine setup-disk setup-apkrepos setup-interfaces buildrepo"
_GENTOO = "eix-update eix-sync eselect layman quickpkg qfile qsearch qlop qcheck quse qdepends dispatch-conf etc-update env-update genkernel repoman pkgdev pkgcheck ebuild emaint genlop revdep-rebuild euse cave ego emirrorselect mirrorselect gcc-config java-config perl-cleaner python-updater smart-live-rebuild elogv glsa-check eclean eclean-kernel portageq"
_DEBIAN = (
    "apt-cdrom apt-ftparchive apt-listbugs apt-offline apt-show-versions apt-sortpkgs apt-xapian-index aptdcon aptly apt-mirror apt-cacher-ng"
    "dpkg-buildflags dpkg-checkbuilddeps dpkg-divert dpkg-genbuildinfo dpkg-genchanges dpkg-gencontrol dpkg-gensymbols dpkg-maintscript-helper dpkg-mergechangelogs dpkg-name dpkg-parsechangelog dpkg-preconfigure dpkg-repack"
    " dpkg-scanpackages dpkg-scansources dpkg-shlibdeps dpkg-source dpkg-split dpkg-statoverride dpkg-trigger dpkg-vendor debi debc dch debchange dget dscverify debsign debdiff debcommit debcheckout bts uscan uupdate wnpp-alert who-uploads rmadison licensecheck lintian piuparts pbuilder"
    " cowbuilder sbuild gbp git-buildpackage equivs-build equivs-control checkinstall debootstrap mmdebstrap multistrap cdebootstrap debmirror reprepro debconf debconf-get-selections debconf-communicate deborphan debfoster debtags popularity-contest popcon-largest-unused"
    " tasksel unattended-upgrade unattended-upgrades ucf ucfr do-release-upgrade ubuntu-bug apport-bug apport-cli apport-collect ubuntu-drivers ubuntu-security-status hwe-support-status pro ua mk-build-deps mintupdate-cli mintupgrade needrestart checkrestart which-pkg-broke grep-dctrl grep-status grep-available grep-aptavail update-command-not-found command-not-found cnf cnf-update-db debget deb-get pacstall wajig dselect purge-old-kernels pdebuild dh dh_auto_build dh_install dh-make-golang pypi2deb py2dsc nfpm jdeb"
)
_RPM = "rpm2cpio rpm2archive rpmdb rpmkeys rpmlint rpmquery rpmsign rpmspec rpmverify rpmdev-newspec rpmdev-bumpspec rpmdev-extract rpmdev-vercmp rpmdiff rpmgraph rpmls rpmorphan koji fedpkg bodhi copr copr-cli createrepo createrepo_c modifyrepo_c mergerepo_c repoquery reposync repotrack repoclosure repodiff package-cleanup yumdownloader yum-builddep yum-config-manager yum-complete-transaction yum-debug-dump dnf-automatic dnf-system-upgrade dnfdragora needs-restarting rpm-ostree bootc flatpak-builder osc spectool gnf transactional-update tukit yast yast2 opi mageia-prepare-upgrade urpmi urpme urpmf urpmq urpmi.addmedia urpmi.removemedia urpmi.update slackpkg installpkg removepkg upgradepkg explodepkg slapt-get sbopkg sboinstall pkgtool lin linst lget cast gaze "
_BSD = "pkg_create pkg_mklocatedb pkg_admin freebsd-update portsnap portmaster portupgrade poudriere syspatch sysupgrade sysmerge fw_update fink   "
_NIX = (
    "nix-copy-closure nix-daemon nix-diff nix-du nix-index nix-info nix-init nix-inspect nix-locate nix-melt nix-output-monitor nom nom-build nix-prefetch nix-prefetch-github nix-serve nix-top nix-tree nix-update"
    "nixops nixos-build-vms nixos-container nixos-generate-config nixos-help nixos-install nixos-option nixos-version nixos-anywhere nixos-generate cachix lorri niv npins nurl nvd agenix nixpkgs-review nixpkgs-hammer nh colmena deploy-rs nix-fast-build nix-eval-jobs nixd nil nix-your-shell nix-alien nix-ld guix-daemon"
)
_SCIENCE = "xrepo spack easybuild module ml lmod rattler-build grayskull conda-build conda-pack conda-lock constructor anaconda-client micropipenv pip-autoremove pip-review pip-chill johnnydep pip-date pip-run pipenv-pipes shiv pex pyoxidizer zipapp virtualenv-clone virtualenvwrapper.sh pew vex pipsi pythonloc pyflow pythonz ensurepip wheel pkginfo tbump hatch-vcs setuptools-scm changesets auto-changelog git-chglog git-changelog release-please reno semver renovate renovate-config-validator pip-upgrade pip-upgrade-requirements pyup poetry-dynamic-versioning dephell pdm-bump rip puccinialin"
_NODE = "npm-home npm-name npm-user npm-fzf npm-why npm-dview yalc verdaccio nrm nodebrew nvs tnvm npq rush-pnpm bun-create tnpm jspm bower component volo esm.sh jsr composer-require-checker composer-unused composer-normalize php-coveralls phpbrew phpactor pickle pie psysh blackfire laravel laravel-zero lumen takeout phar phar.phar phpbench php-parallel-lint parallel-lint robo castor twig-lint twigcs blackfire-player statamic october craft typo3 grav kirby drupal joomla"
_ENVIRONMENTS = "workon deactivate mkvirtualenv lsvirtualenv showvirtualenv cpvirtualenv cdvirtualenv cdsitepackages lssitepackages add2virtualenv toggleglobalsitepackages mkproject setvirtualenvproject sdkman plenv perlbrew rvm chruby-exec luaver luarocks-admin rakubrew swiftly erlenv exenv kerl kiex nodist gobrew dvm bvm zvm zigup jabba scalaenv crenv ndenv anyenv proto vfox hermit pkgx devbox flox aqua eget bin ubi stew dra parm huber gah hab habitat eim idf-env "
_OPTIONS = "S,sync U,upgrade R,remove Q,query y,yes n= c,config=settings f,force a,all i= o,output=log p,package= d,directory=mkdir r,recursive v,verbose q,quiet u l,list s,search= t= k= e= m= finger= times= dry-run h,help V,version"

PROGRAMS: Mapping[str, E] = {
    **each(f"{_ARCH} {_VOID} {_ALPINE} {_GENTOO} {_DEBIAN} {_RPM} {_BSD} {_NIX}", E(_OPTIONS, "word*")),
    **each(f"{_SCIENCE} {_NODE} {_ENVIRONMENTS}", E(_OPTIONS, "word*", out=Out.CONTENT)),
    **each("rmvirtualenv", E("h,help", "word*", ops=(O.DELETE,))), **each("allvirtualenv", E("", "command*", ordered=True, special=launch)),
    **sends("dput dput-ng dcut", "upload.debian.org", "u,unchecked f,force s,simulate P,passive e,delayed= c,config=settings", "word source*", preview="help version simulate"),
}  # fmt: skip
