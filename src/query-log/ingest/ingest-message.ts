/** To the ingest thread: the meaning of the ids in query records. `List` is opaque to the log; see `RuleSource`. */
export type IngestMessage<List = unknown> =
  | ({ readonly kind: 'client'; readonly clientId: number; readonly account: string } & LoggedClient)
  /** Whether queries of an account are logged; buffered records from before `time` are dropped if not. */
  | { readonly kind: 'logging'; readonly account: string; readonly isLogged: boolean; readonly time: number }
  /** A replacement of the thread has received everything. */
  | { readonly kind: 'complete' }
  /** All lists in use. */
  | { readonly kind: 'lists'; readonly lists: readonly List[] };

export type LoggedClient = {
  readonly dnsServer: string;
  readonly device: string | undefined;
  /** Whether the network of the client is stored. */
  readonly ipLog: boolean;
};

/** Texts of the rules that query records refer to by list and slot. */
export type RuleSource<List = unknown> = {
  readonly use: (lists: readonly List[]) => void;
  /** Called when no buffered record refers to a replaced list. */
  readonly forgetReplaced: () => void;
  readonly listId: (list: number) => string | undefined;
  /** A rule that contains the name, or its end, has `nameMarker` in its place. */
  readonly rule: (list: number, slot: number, name: Uint8Array) => string | undefined;
  readonly close: () => void;
};
