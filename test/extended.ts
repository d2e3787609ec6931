/** Slow tests, which run only in `npm run test:all` or if a filter names them. */

const isExtended = process.env.SKILL_COMPOSER_EXTENDED === '1';

/** Options of a test. */
export const extended = {
  skip: isExtended ? false : 'Slow tests, such as those with real sizes: `npm run test:all` runs them',
};
