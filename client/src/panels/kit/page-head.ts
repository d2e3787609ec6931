/** The head of every page: the content security policy, and the strings in the language of the editor. */

/**
 * Returns the content security policy of every page. The policy allows one script, the extension's style sheets, and
 * images that the page itself draws, but no network access. `styles` is the CSP source of the style sheets.
 */
export const contentPolicy = (nonce: string, styles: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${styles}`,
    // The PNG export draws the graph's SVG as an image.
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');

export const TEXTS_ID = 'l10n';

/**
 * Returns the strings as a script block of JSON, which `l10n.ts` reads; empty for an English page. `<` is escaped, so
 * no text can end the block.
 */
export const textsBlock = (texts: Readonly<Record<string, string>> | undefined): string =>
  texts === undefined
    ? ''
    : `<script type="application/json" id="${TEXTS_ID}">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>\n`;
