/** `version`: checksum of the text. `checks` rises with every check of the sources. */
export type SharedList = {
  readonly id: string;
  readonly source: string;
  readonly version: string;
  readonly checks: number;
};

/** `account`: the owner of a custom list. `seen`: validators of the sources, as JSON. */
export type NewSharedList = Omit<SharedList, 'checks'> & {
  readonly account: string | null;
  readonly text: Uint8Array;
  readonly seen: string | null;
};

/** Texts of filter lists that one node has downloaded for all. */
export type SharedListReads = {
  all(): Promise<readonly SharedList[]>;
  text(version: string): Promise<Pick<NewSharedList, 'text' | 'seen'> | undefined>;
};

export type SharedListWrites = {
  /** Counts a check that found this version unchanged; returns false if another version is stored. */
  confirm(list: Pick<SharedList, 'id' | 'source' | 'version'>): Promise<boolean>;
  put(list: NewSharedList): Promise<void>;
  remove(id: string): Promise<void>;
};
