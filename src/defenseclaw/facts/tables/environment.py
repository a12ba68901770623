"""Variables of Windows' environment that name folders."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.facts.script import UNKNOWN_COMPONENT

# Below the profile.
PROFILE: Mapping[str, str] = {
    "userprofile": "",
    "appdata": "\\AppData\\Roaming",
    "localappdata": "\\AppData\\Local",
    "temp": "\\AppData\\Local\\Temp",
    "tmp": "\\AppData\\Local\\Temp",
    "onedrive": "\\OneDrive",
}
FIXED: Mapping[str, str] = {
    "systemdrive": "C:",
    "homedrive": "C:",
    "systemroot": "C:\\Windows",
    "windir": "C:\\Windows",
    "programfiles": "C:\\Program Files",
    "programfiles(x86)": "C:\\Program Files (x86)",
    "programw6432": "C:\\Program Files",
    "commonprogramfiles": "C:\\Program Files\\Common Files",
    "programdata": "C:\\ProgramData",
    "allusersprofile": "C:\\ProgramData",
    "public": "C:\\Users\\Public",
    "comspec": "C:\\Windows\\System32\\cmd.exe",
    "os": "Windows_NT",
}
SOMEBODY = f"C:\\Users\\{UNKNOWN_COMPONENT}"  # a profile, where the caller did not say whose
