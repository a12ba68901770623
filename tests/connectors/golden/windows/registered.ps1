$ErrorActionPreference = 'Stop'
$env:NoDefaultCurrentDirectoryInExePath = '1'
$ProgressPreference = 'SilentlyContinue'
$given = @($input)
$launcher = 'C:\Users\Zoë O''Neil\.defenseclaw\hooks\codex.ps1'
$missing = 'defenseclaw: hook client cannot run, blocking this event (no policy was consulted); run `defenseclaw doctor`'
try {
  $text = [System.IO.File]::ReadAllText($launcher)
  if (-not $text.StartsWith('# defenseclaw-managed-hook v')) { throw 'not a launcher' }
  $block = [ScriptBlock]::Create($text)
  & $block $given
} catch { }
try {
  [Console]::Error.WriteLine($missing)
} catch {
  Microsoft.PowerShell.Utility\Write-Error $missing -ErrorAction Continue
}
exit 2
