// Before the first paint, so that a theme other than the system's does not flash. The page's policy forbids inline scripts.
try {
  const theme = localStorage.getItem('maestro.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme it is.
}
