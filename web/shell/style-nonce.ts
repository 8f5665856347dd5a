/** Inserted style elements need the nonce of the document, or the browser ignores them. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** react-remove-scroll reads the nonce only from this global. */
export const exposeStyleNonce = (): void => void Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
