import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version in package.json, which lies two folders up from src/app and from dist/app alike. */
export const version = String((manifest as { version: unknown }).version);
