/** Stores the loaded files for later visits without the service. Browsers only allow it over HTTPS and on localhost. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/service-worker.js');
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    active?.postMessage(loaded.filter((name) => name.startsWith(`${location.origin}/assets/`)));
  } catch {
    // Rejected by the browser, for example because it does not trust the certificate. The page works without it.
  }
}
