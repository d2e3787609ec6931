/** Tests that take long: `npm test` leaves them to `npm run test:all`. They run also if a filter names them. */

const isExtended = process.env.SKILL_COMPOSER_EXTENDED === '1';

/** Options of a test. */
export const extended = {
  skip: isExtended ? false : 'Tests that take long, such as those of real sizes: `npm run test:all` runs them',
};
