/** Whether an edit moves what findings of other files point at. */
import { isStored, type SkillDocument } from '../skill/document.ts';

/**
 * True where the edit may have moved a place that another file's finding shows as a related one, although the summary
 * stayed as it was: a longer description, a comment. All such places stand in the frontmatter, so that typing in a body
 * moves none of them. Where they stood in a file that is not kept, nobody knows.
 */
export const movesPlaces = (before: SkillDocument | undefined, after: SkillDocument | undefined): boolean =>
  before !== undefined && (isStored(before) || before.frontmatter !== after?.frontmatter);
