import type { BlockingSettings, ProfileSettings } from './profile.ts';
import { noExtensions } from './profile-extensions.ts';
import { type DayInterval, type Week, weekdays } from './schedule.ts';

const evening: DayInterval = { enabled: false, fromMinute: 20 * 60, toMinute: 24 * 60 - 1 };
const noPause = Object.fromEntries(weekdays.map((day) => [day, evening])) as Week;

/** Settings of a new DNS server: only ads and known threats are blocked. */
export const defaultSettings = (): ProfileSettings => ({
  protectionEnabled: true,
  blocking: { mode: 'NULL_IP', ipv4: undefined, ipv6: undefined },
  blockTtlSeconds: 10,
  ipLogEnabled: false,
  autoConnectDevices: false,
  blockPrivateRelay: false,
  blockFirefoxCanary: true,
  blockChromePrefetch: false,
  access: { enabled: false, allowedClients: [], blockedClients: [], blockedDomainRules: [], blockKnownScanners: false },
  filterLists: { enabled: true, lists: [{ id: 'adguard_dns_filter', enabled: true }] },
  userRules: { enabled: true, rules: [] },
  safeBrowsing: {
    enabled: true,
    blockDangerousDomains: true,
    blockNewlyRegistered: false,
    blocking: { mode: 'NONE', ipv4: undefined, ipv6: undefined },
    typosquattingProtection: false,
    homoglyphProtection: false,
  },
  parental: {
    enabled: false,
    blockAdult: false,
    safeSearch: false,
    youtubeSafeSearch: false,
    blockedServices: [],
    blockedCategories: [],
    pauseSchedule: noPause,
  },
  own: noExtensions,
});

/** Settings read from JSON, which omits undefined members. Those stored by older versions lack later ones. */
export const storedSettings = (stored: ProfileSettings): ProfileSettings => {
  const { blocking, safeBrowsing, parental, own } = defaultSettings();
  return {
    ...stored,
    blocking: storedBlocking(stored.blocking ?? blocking),
    safeBrowsing: {
      ...safeBrowsing,
      ...stored.safeBrowsing,
      blocking: storedBlocking(stored.safeBrowsing?.blocking ?? safeBrowsing.blocking),
    },
    parental: { ...parental, ...stored.parental },
    own: { ...own, ...stored.own },
  };
};

const storedBlocking = ({ mode, ipv4, ipv6 }: BlockingSettings): BlockingSettings => ({ mode, ipv4, ipv6 });
