/** Styles that scripts write carry the nonce of the document, or the browser ignores them. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** What locks the scrolling behind a dialog knows no other way to be told it than this name. */
export const tellStyleNonce = (): void => void Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
