/** The skeletons of `snippets/`, each with its context. */
import file from '../../../snippets/skillmd.json' with { type: 'json' };

/**
 * `*-file`: an empty file of that dialect. `heading`: after `## `, or on an empty line. `metadata`: below an artifact's
 * heading. `key`: a key of the frontmatter. `item`: after a dash. `template`: a line of a template. `comment`: inside a
 * comment.
 */
export type SnippetPlace =
  | 'skill-file'
  | 'contract-file'
  | 'agent-skill-file'
  | 'heading'
  | 'metadata'
  | 'key'
  | 'item'
  | 'template'
  | 'comment';

export interface Snippet {
  readonly label: string;
  readonly place: SnippetPlace;
  /** The artifact kind, the key, or the key of the list for the skeleton. */
  readonly of: string | undefined;
  readonly description: string;
  /** The kinds of names at tab stops, by the number of the tab stop, such as `input of 1` (`features/completion/snippet-names.ts`). */
  readonly names?: Readonly<Record<string, string>>;
  /** The text with tab stops; `$SKILL_NAME` is replaced with the name from the file name. */
  readonly body: string;
}

const entries: readonly (readonly [string, SnippetSource])[] = Object.entries(file);

/** An entry in the snippet file. */
interface SnippetSource {
  readonly place: string;
  readonly of?: string;
  readonly description: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly body: readonly string[];
}

export const snippetsFor = (place: SnippetPlace, of?: string): readonly Snippet[] =>
  snippets.filter((snippet) => snippet.place === place && (of === undefined || snippet.of === of));

export const snippets: readonly Snippet[] = entries.map(([label, { place, of, description, names, body }]) => ({
  label,
  place: place as SnippetPlace,
  of,
  description: `${description}.`,
  ...(names && { names }),
  body: body.join('\n'),
}));
