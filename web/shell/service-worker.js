// Opens the interface while the service does not answer. Stores the document and its assets, which are the same for all
// users, and never an answer of the API.
const DOCUMENT = 'weir-document';
const ASSETS = 'weir-assets';
const isAsset = (url) => url.origin === location.origin && url.pathname.startsWith('/assets/');
// The other paths have pages that are not part of the interface, or files.
const isPage = (url) => !/^\/(?:api|oapi|swagger|assets|health|compile)(?:\/|$)/.test(url.pathname);

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(fetch('/').then(storeDocument));
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

// Files that were loaded before this worker was started.
addEventListener('message', (event) => {
  const urls = event.data.filter((url) => isAsset(new URL(url)));
  event.waitUntil(caches.open(ASSETS).then((cache) => Promise.all(urls.map((url) => addOnce(cache, url)))));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate' && isPage(url)) event.respondWith(openPage(request));
  else if (isAsset(url)) event.respondWith(loadAsset(request));
});

/** The current document from the service; without an answer the stored one. */
async function openPage(request) {
  try {
    const response = await fetch(request);
    await storeDocument(response.clone());
    return response;
  } catch (error) {
    const stored = await caches.match('/', { cacheName: DOCUMENT });
    if (stored) return stored;
    throw error;
  }
}

/** A document of another version has other assets: the stored ones are deleted. */
async function storeDocument(response) {
  if (!response.ok || response.redirected) return;
  const cache = await caches.open(DOCUMENT);
  const before = await cache.match('/');
  const [old, current] = await Promise.all(
    [before?.text(), response.clone().text()].map(async (text) => entryOf(await text)),
  );
  if (current === undefined) return;
  if (old !== current) await caches.delete(ASSETS);
  await cache.put('/', response);
}

const entryOf = (text) => /<script type="module"[^>]* src="([^"]+)"/.exec(text ?? '')?.[1];

/** File names contain a hash of the content, so a stored file is never out of date. */
async function loadAsset(request) {
  const cache = await caches.open(ASSETS);
  const stored = await cache.match(request);
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

const addOnce = async (cache, url) => ((await cache.match(url)) ? undefined : cache.add(url));
