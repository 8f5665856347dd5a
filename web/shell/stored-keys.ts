/** Keys of the browser's storage that the outline reads before the page is loaded. */
export const LANGUAGE_KEY = 'weir-language';
/** Set while this browser has a session. */
export const SIGNED_IN_KEY = 'weir-signed-in';
/** Written by Mantine. */
export const COLOUR_SCHEME_KEY = 'mantine-color-scheme-value';
