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
