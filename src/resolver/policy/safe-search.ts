// Host names that search engines provide for safe search. Google's domains are all its country domains (google.com/supported_domains).
const googleDomains = `
com ad ae com.af com.ag com.ai al am co.ao com.ar as at com.au az ba com.bd be bf bg com.bh bi bj com.bn com.bo com.br bs bt
co.bw by com.bz ca cat cc cd cf cg ch ci co co.ck cl cm cn com.co co.cr com.cu cv com.cy cz de dj dk dm com.do dz com.ec ee
com.eg es com.et fi com.fj fm fr ga ge gf gg com.gh com.gi gl gm gp gr com.gt gy com.hk hn hr ht hu co.id ie co.il im co.in
io iq is it je com.jm jo co.jp co.ke com.kh ki kg co.kr com.kw kz la com.lb com.lc li lk co.ls lt lu lv com.ly co.ma md me mg
mk ml com.mm mn ms com.mt mu mv mw com.mx com.my co.mz com.na ne com.nf com.ng com.ni nl no com.np nr nu co.nz com.om com.pa
com.pe com.pg com.ph com.pk pl pn com.pr ps pt com.py com.qa ro rs ru rw com.sa com.sb sc se com.sg sh si sk com.sl sm sn so
sr st com.sv td tg co.th com.tj tk tl tm tn to com.tr tt com.tw co.tz com.ua co.ug co.uk com.uy co.uz com.vc co.ve vg co.vi
com.vn vu ws co.za co.zm co.zw`;

const yandexDomains =
  'com ru az by co.il com.am com.ge com.ru com.tr de ee eu fi fr kg kz lt lv md net org pl tj tm ua uz';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const engines: readonly (readonly [target: string, names: readonly string[]])[] = [
  ['forcesafesearch.google.com', words(googleDomains).map((domain) => `www.google.${domain}`)],
  ['strict.bing.com', ['www.bing.com', 'edgeservices.bing.com']],
  ['safe.duckduckgo.com', ['duckduckgo.com', 'www.duckduckgo.com', 'start.duckduckgo.com']],
  [
    'familysearch.yandex.ru',
    [
      'ya.ru',
      'www.ya.ru',
      'яндекс.рф',
      ...words(yandexDomains).flatMap((domain) => [`yandex.${domain}`, `www.yandex.${domain}`]),
    ],
  ],
  ['safesearch.pixabay.com', ['pixabay.com']],
  ['forcesafe.search.brave.com', ['search.brave.com']],
  ['strict-safe-search.ecosia.org', ['www.ecosia.org']],
];

const youtube: typeof engines = [
  [
    'restrictmoderate.youtube.com',
    [
      'www.youtube.com',
      'm.youtube.com',
      'youtubei.googleapis.com',
      'youtube.googleapis.com',
      'www.youtube-nocookie.com',
    ],
  ],
];

// All query types are rewritten, not only addresses: an HTTPS record would bypass the rewrite.
const rulesOf = (rows: typeof engines): string =>
  rows.flatMap(([target, names]) => names.map((name) => `|${name}^$dnsrewrite=NOERROR;CNAME;${target}\n`)).join('');

/** Rules of the filter language, one per line. */
export const safeSearchRules = (): string => rulesOf(engines);
export const youtubeRules = (): string => rulesOf(youtube);
