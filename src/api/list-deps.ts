/** Times are in milliseconds since the Unix epoch. */
export type ListHealth = {
  readonly id: string;
  readonly isLoaded: boolean;
  readonly isBuiltIn: boolean;
  readonly rules: number;
  readonly ignored: number;
  readonly invalid: number;
  /** Rules that the last update has added and removed; undefined before the first update. */
  readonly changes: { readonly added: number; readonly removed: number } | undefined;
  readonly fetchedAt: number | undefined;
  readonly checkedAt: number | undefined;
  readonly problem: { readonly why: string; readonly since: number } | undefined;
  readonly isHeldBack: boolean;
  /** Progress of the current download. */
  readonly download?: { readonly receivedBytes: number; readonly totalBytes: number | undefined } | undefined;
};

/** Read interface of the filter lists in use. */
export type ListDeps = {
  /** Status of the lists in use. */
  readonly listHealth: () => readonly ListHealth[];
  /** Examples of the rules that the last update of a list has added and removed; undefined before the first update. */
  readonly changedRules: (
    id: string,
  ) => Promise<{ readonly added: readonly string[]; readonly removed: readonly string[] } | undefined>;
  /** Domains of each of these lists that no other of them has. Lists that are not loaded are absent. */
  readonly listOverlap: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly domains: number; readonly unique: number }[]>;
};
