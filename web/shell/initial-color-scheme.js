// Runs before anything is painted: the page of somebody who chose dark is never white, not even for a moment.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();
