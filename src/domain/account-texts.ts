import type { ProfileId } from './ids.ts';
import type { AccountSnapshot } from './repositories.ts';

export type ProfileTexts = {
  readonly id: ProfileId;
  /** Stored form of `ProfileSettings`; settings stored by an older version lack later members. */
  readonly settings: string;
  readonly json: string;
};

/** `AccountSnapshot` with profiles and devices as JSON, because there may be a million devices. */
export type AccountTexts = Omit<AccountSnapshot, 'profiles' | 'devices'> & {
  readonly profiles: readonly ProfileTexts[];
  readonly devices: {
    /** JSON with the members that the resolver needs. */
    readonly json: string;
    readonly ids: readonly string[];
    readonly suffixes: readonly string[];
    /** Whether its clients are identified by ids and address suffixes only. */
    readonly areIdentifiedByIds: boolean;
  };
};
