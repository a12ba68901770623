"""What a host is: capture services, tunnels, paste sites, metadata services. Suffix match."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.labels import HostLabel as H

HOST_SUFFIXES: Mapping[str, H] = {
    "webhook.site": H.CAPTURE_SERVICE,
    "pipedream.net": H.CAPTURE_SERVICE,
    "requestbin.com": H.CAPTURE_SERVICE,
    "requestbin.net": H.CAPTURE_SERVICE,
    "requestcatcher.com": H.CAPTURE_SERVICE,
    "hookbin.com": H.CAPTURE_SERVICE,
    "beeceptor.com": H.CAPTURE_SERVICE,
    "requestinspector.com": H.CAPTURE_SERVICE,
    "postb.in": H.CAPTURE_SERVICE,
    "ptsv2.com": H.CAPTURE_SERVICE,
    "ptsv3.com": H.CAPTURE_SERVICE,
    "burpcollaborator.net": H.CAPTURE_SERVICE,
    "oastify.com": H.CAPTURE_SERVICE,
    "interact.sh": H.CAPTURE_SERVICE,
    "interactsh.com": H.CAPTURE_SERVICE,
    "oast.pro": H.CAPTURE_SERVICE,
    "oast.live": H.CAPTURE_SERVICE,
    "oast.site": H.CAPTURE_SERVICE,
    "oast.online": H.CAPTURE_SERVICE,
    "oast.fun": H.CAPTURE_SERVICE,
    "oast.me": H.CAPTURE_SERVICE,
    "dnslog.cn": H.CAPTURE_SERVICE,
    "ceye.io": H.CAPTURE_SERVICE,
    "ngrok.io": H.TUNNEL_SERVICE,
    "ngrok.app": H.TUNNEL_SERVICE,
    "ngrok-free.app": H.TUNNEL_SERVICE,
    "ngrok-free.dev": H.TUNNEL_SERVICE,
    "ngrok.dev": H.TUNNEL_SERVICE,
    "trycloudflare.com": H.TUNNEL_SERVICE,
    "loca.lt": H.TUNNEL_SERVICE,
    "localtunnel.me": H.TUNNEL_SERVICE,
    "serveo.net": H.TUNNEL_SERVICE,
    "localhost.run": H.TUNNEL_SERVICE,
    "lhr.life": H.TUNNEL_SERVICE,
    "pinggy.io": H.TUNNEL_SERVICE,
    "bore.pub": H.TUNNEL_SERVICE,
    "telebit.io": H.TUNNEL_SERVICE,
    "canarytokens.com": H.CANARY,
    "canarytokens.org": H.CANARY,
    "transfer.sh": H.PASTE_RAW,
    "file.io": H.PASTE_RAW,
    "0x0.st": H.PASTE_RAW,
    "termbin.com": H.PASTE_RAW,
    "ix.io": H.PASTE_RAW,
    "sprunge.us": H.PASTE_RAW,
    "bashupload.com": H.PASTE_RAW,
    "paste.rs": H.PASTE_RAW,
}

# Paste sites are raw content only below these paths.
PASTE_PATHS: Mapping[str, str] = {
    "pastebin.com": "/raw/",
    "hastebin.com": "/raw/",
    "paste.ee": "/r/",
    "rentry.co": "/raw",
    "dpaste.org": "/raw",
    "ghostbin.com": "/raw",
    "controlc.com": "/raw",
}

METADATA_HOSTS = frozenset(
    {"169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "100.100.100.200",
     "metadata.google.internal", "metadata.goog", "metadata", "metadata.azure.internal",
     "instance-data", "instance-data.ec2.internal", "168.63.129.16", "192.0.0.192"}
)  # fmt: skip

# Names that never leave the machine or the local network.
LOCAL_NAMES = frozenset(
    {"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "kubernetes",
     "host.docker.internal", "gateway.docker.internal"}
)  # fmt: skip
LOCAL_SUFFIXES = (".localhost", ".local", ".localdomain", ".internal", ".lan", ".home",
                  ".home.arpa", ".svc", ".cluster.local")  # fmt: skip
