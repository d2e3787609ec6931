/** What every page begins with: its content security policy, and the texts of the editor's language. */

/**
 * The content security policy of every page: one script, the style sheets of the extension, and images that the page itself
 * draws. Nothing is fetched from a network. `styles` is the source of the style sheets.
 */
export const contentPolicy = (nonce: string, styles: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${styles}`,
    // The graph becomes a PNG by way of an image of its own SVG.
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');

export const TEXTS_ID = 'l10n';

/**
 * The texts as a script block of JSON, which `l10n.ts` reads; empty without texts, when the page is English. `<` is escaped,
 * so no text can end the block.
 */
export const textsBlock = (texts: Readonly<Record<string, string>> | undefined): string =>
  texts === undefined
    ? ''
    : `<script type="application/json" id="${TEXTS_ID}">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>\n`;
