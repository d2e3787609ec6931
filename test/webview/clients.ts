/** A `SKILL.md` with clients that truncate it or skip it, and the message of its panel. */
import type { ChosenReply, ClientsReply, ToPage } from '../../client/src/panels/preview/messages.ts';
import { estimateTokens } from '../../server/src/composer/tokens-estimate.ts';
import { type ChosenQuery, chosenView } from '../../server/src/features/clients/chosen.ts';
import { clientsView } from '../../server/src/features/clients/clients-view.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { withRanges } from '../../server/src/features/preview/with-ranges.ts';
import { analysisOf, uriOf } from './reply.ts';

export const SKILL = '.claude/skills/tidy-notes/SKILL.md';

const description = `Tidies a novelist's notes. ${'Use it for people, places and things. '.repeat(50)}`;

/** A skill whose name differs from its folder's name, with a description that is too long and an unknown key. */
export const tidyNotes: Readonly<Record<string, string>> = {
  'skills.config.yaml': 'agent_skills: {clients: [claude-code, codex, vscode]}\n',
  [SKILL]: `---
name: tidy-notes
description: ${description.trim()}
mood: good
arguments: [person, day]
argument-hint: '[person] [day]'
---

# Tidy notes

Merge notes about $person, as of $day: $ARGUMENTS.

The last changes are !\`git log -3\`.

Read [the forms](references/forms.md) and [the names](references/names.md).
`,
  '.claude/skills/tidy-notes/references/forms.md': 'A note has a person, a place and a day.\n',
  '.claude/skills/sort-scenes/SKILL.md':
    '---\nname: sort-scenes\ndescription: Sorts scenes by the day on which they happen.\n---\n\nSort them.\n',
};

export function clientsOf(files: Readonly<Record<string, string>>, path: string): Extract<ToPage, { type: 'clients' }> {
  const analysis = analysisOf(files);
  const file = analysis.file(uriOf(path));
  const view = file && clientsView(analysis, file);
  if (!view) throw new Error(`${path} is no SKILL.md`);
  // A host looks for the files and counts them.
  const counted = view.files.map((one) => {
    const text = Object.entries(files).find(([name]) => uriOf(name) === one.uri)?.[1];
    return { ...one, isThere: text !== undefined, ...(text !== undefined && { tokens: estimateTokens(text) }) };
  });
  return { type: 'clients', view: withRanges(analysis, utf16, { ...view, files: counted }) as ClientsReply };
}

/** The reply to `askChosen`. `cases` are the requests of the skill, with true for those that must choose it. */
export function chosenOf(
  files: Readonly<Record<string, string>>,
  path: string,
  {
    cases = {},
    ...asked
  }: Partial<Omit<ChosenQuery, 'cases'>> & { readonly cases?: Readonly<Record<string, boolean>> },
): Extract<ToPage, { type: 'chosen' }> {
  const analysis = analysisOf(files);
  const uri = uriOf(path);
  const file = analysis.file(uri);
  const view =
    file &&
    chosenView(analysis, file, {
      ...{ client: undefined, request: undefined, arguments: undefined, ...asked },
      cases: Object.entries(cases).map(([request, should]) => ({ request, should, uri, span: { start: 0, end: 3 } })),
    });
  if (!view) throw new Error(`${path} is no SKILL.md`);
  return { type: 'chosen', view: withRanges(analysis, utf16, view) as ChosenReply };
}
