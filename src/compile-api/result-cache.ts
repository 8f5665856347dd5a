export type ResultAbout = {
  /** See result-key.ts. */
  readonly key: string;
  /** SHA-256 of the list's bytes, in hex. */
  readonly contentId: string;
  /** In ISO 8601. */
  readonly compiledAt: string;
  readonly ruleCount: number;
  /** Length of the list, not compressed. */
  readonly listBytes: number;
  /** To compile it again for subscribers. */
  readonly configuration: unknown;
  /** JSON that the service wants back. */
  readonly extra: unknown;
  /** What the sources said of their version. */
  readonly validators: readonly (readonly [url: string, validator: string])[] | undefined;
};

export type Found = { readonly about: ResultAbout; readonly isFresh: boolean };

export type ResultCache = {
  /** Also finds what is past its time: it is the previous version. */
  find(key: string): Found | undefined | Promise<Found | undefined>;
  findByContent(contentId: string): Found | undefined | Promise<Found | undefined>;
  /**
   * The list, gzip-compressed as it is kept; undefined when it is gone or damaged. A save may come between find() and
   * read(): who needs the very list that was found says so by its content id, and gets undefined for another.
   */
  read(key: string, contentId?: string): Promise<Buffer | undefined>;
  /** Resolves once the result is safe on disk; from then on find() gives it. */
  save(about: ResultAbout, gzippedList: Uint8Array): Promise<void>;
  /** The sources have not changed: as good as new. */
  renew(key: string): Promise<void>;
};
