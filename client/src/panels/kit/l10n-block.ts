/** How the texts of the editor's language get into a page: as a block that no browser runs, for `l10n.ts` to read. */

export const TEXTS_ID = 'l10n';

/** The block's HTML; empty without texts, which is English. No text can end it: `<` is written as its number. */
export const textsBlock = (texts: Readonly<Record<string, string>> | undefined): string =>
  texts === undefined
    ? ''
    : `<script type="application/json" id="${TEXTS_ID}">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>\n`;
