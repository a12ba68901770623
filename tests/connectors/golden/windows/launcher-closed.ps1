# defenseclaw-managed-hook v1
# Written by `defenseclaw setup`; do not edit. Connector codex, fail mode closed.
param($given)
$python = 'C:\Users\Zoë O''Neil\venv\Scripts\python.exe'
$boot = 'C:\Users\Zoë O''Neil\venv\Lib\site-packages\defenseclaw\hook\boot.py'
$conf = 'C:\Users\Zoë O''Neil\.defenseclaw\hooks\codex.conf'
$code = -1
try {
  foreach ($name in 'PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONINSPECT', 'PYTHONUSERBASE', 'PYTHONPLATLIBDIR', 'PYTHONEXECUTABLE', 'PYTHONPYCACHEPREFIX', 'PYTHONWARNINGS', 'PYTHONBREAKPOINT', 'PYTHONMALLOC', 'PYTHONDUMPREFS', 'PYTHONDUMPREFSFILE', 'PYTHONPROFILEIMPORTTIME', 'PYTHONTRACEMALLOC', 'PYTHONVERBOSE', 'PYTHONSAFEPATH', 'PYTHONIOENCODING', 'PYTHONUTF8', 'PYTHONCOERCECLOCALE', 'PYTHONASYNCIODEBUG') {
    [System.Environment]::SetEnvironmentVariable($name, $null)
  }
  $there = $true
  foreach ($file in $python, $boot, $conf) {
    $there = $there -and [System.IO.File]::Exists($file)
  }
  if ($there) {
    $start = [System.Diagnostics.ProcessStartInfo]::new()
    $start.FileName = $python
    $start.Arguments = '-I -S "' + $boot + '" "' + $conf + '"'
    $start.UseShellExecute = $false
    $start.RedirectStandardInput = $given.Count -gt 0
    $child = [System.Diagnostics.Process]::Start($start)
    if ($given.Count -gt 0) {
      try {
        $bytes = [Console]::InputEncoding.GetBytes($given -join "`n")
        $child.StandardInput.BaseStream.Write($bytes, 0, $bytes.Length)
        $child.StandardInput.Close()
      } catch { }
    }
    $child.WaitForExit()
    $code = $child.ExitCode
  }
} catch { }
# An interpreter ends with 0 or 2 on its own as well, so the client's last word is another one.
if ($code -eq 40) { exit 0 }
if ($code -eq 42) { exit 2 }
# No verdict and no client: a finished turn is let go, so that an agent cannot loop on it.
$text = $given -join "`n"
if (-not $text.Contains('"tool_name":')) {
  if ($text.Contains('"stop_hook_active":true') -or $text.Contains('"stop_hook_active": true')) {
    exit 0
  }
}
[Console]::Error.WriteLine('defenseclaw: hook client cannot run, blocking this event (no policy was consulted); run `defenseclaw doctor`')
exit 2
