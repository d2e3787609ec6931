/** The skill that the tests of the preview open. */
export const skill = 'write-notice.skill.md';

/** The lines of its template. */
export const firstLine = 24;
export const secondLine = 25;
