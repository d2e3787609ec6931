/** The effect of one fix on the findings of a workspace, for the law that a fix removes its finding and adds none. */

import type { Workspace } from '../../../server/src/analysis/workspace.ts';
import { initialText } from '../../../server/src/authoring/new-skill.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { foldersForClients } from '../../../server/src/clients/matrix/client-folders.ts';
import { newSkillFor } from '../../../server/src/features/actions/new-skill.ts';
import { shorteningFixes } from '../../../server/src/features/actions/shorten-description.ts';
import type { Finding, Fix } from '../../../server/src/finding.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { nameFromUri } from '../../../server/src/vocabulary/dialect.ts';
import { findingsIn, type PageFile, ROOT, withoutMarkers } from './page.ts';

export interface FixEffect {
  readonly path: string;
  readonly finding: Finding;
  readonly fix: Fix;
  /** True if the finding is gone, or is at fewer places. */
  readonly isGone: boolean;
  /** The findings of all files that the fix adds. */
  readonly added: readonly Finding[];
  /** The files after the fix. */
  readonly files: readonly PageFile[];
}

/** Finds the same finding in a changed text, in which offsets differ. */
const keyOf = ({ rule, message }: Finding): string => `${rule}: ${message}`;

const fileOf = (uri: string, content: string): PageFile => ({
  ...{ language: 'skill', path: uri.slice(ROOT.length + 1), content, start: 0, end: content.length },
});

/** Returns the files after a fix that edits, creates or moves files. */
function filesAfter(workspace: Workspace, files: readonly PageFile[], uri: string, fix: Fix): readonly PageFile[] {
  const file = workspace.analysis.file(uri);
  const skill = file && fix.creates !== undefined ? newSkillFor(workspace.analysis, file, fix.creates) : undefined;
  const text = skill && initialText(skill);
  const edited = files.map((one) => {
    const own = `${ROOT}/${one.path}`;
    const content = withoutMarkers(one.content);
    if (one.language === 'baseline') return { ...one, content };
    const edits = fix.edits.flatMap((change) => (change.uri === own ? change.edits : []));
    const { from = '', to = '' } = fix.moves ?? {};
    const isMoved = fix.moves !== undefined && (own === from || own.startsWith(`${from}/`));
    const path = isMoved ? (to + own.slice(from.length)).slice(ROOT.length + 1) : one.path;
    return { ...one, path, content: applyEdits(content, edits) };
  });
  return [
    ...edited,
    ...(skill && text !== undefined ? [fileOf(skill.uri, text)] : []),
    ...copiesOf(workspace, fix),
    ...(fix.createsFile ? [fileOf(fix.createsFile.uri, fix.createsFile.text)] : []),
  ];
}

/** Returns the skills that a fix copies to the folders of clients. */
function copiesOf({ index }: Workspace, { shares }: Fix): readonly PageFile[] {
  const folders = foldersForClients((shares?.clients ?? []).flatMap((id) => findClient(id) ?? []));
  if ('without' in folders) return [];
  return (shares?.skills ?? []).flatMap((uri) =>
    folders.map(({ path }) => fileOf(`${ROOT}/${path}/${nameFromUri(uri)}/SKILL.md`, index.files.get(uri)?.text ?? '')),
  );
}

/** Yields the effect of each fix of each finding of the files, applied alone. `open` opens the files as a workspace. */
export function* fixEffects(
  files: readonly PageFile[],
  open: (files: readonly PageFile[]) => Workspace,
): Iterable<FixEffect> {
  const workspace = open(files);
  const found = (of: Workspace, all: readonly PageFile[]) =>
    all.flatMap(({ path, language }) =>
      language === 'baseline' ? [] : findingsIn(of, path).map((finding) => ({ path, finding })),
    );
  const before = found(workspace, files);
  for (const { path, finding } of before) {
    const file = workspace.analysis.file(`${ROOT}/${path}`);
    const shortening = file ? shorteningFixes(workspace.analysis, file, finding) : [];
    for (const fix of [...finding.fixes, ...shortening]) {
      const changed = filesAfter(workspace, files, `${ROOT}/${path}`, fix);
      const foundAfter = found(open(changed), changed);
      const after = foundAfter.map((one) => one.finding);
      // The finding about a folder of skills passes on to the next skill in it.
      const isSame = (one: (typeof before)[number]) =>
        keyOf(one.finding) === keyOf(finding) && (fix.shares === undefined || one.path === path);
      const left = before.map((one) => keyOf(one.finding));
      const added = after.filter((one) => {
        const at = left.indexOf(keyOf(one));
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
      const isGone = foundAfter.filter(isSame).length < before.filter(isSame).length;
      yield { path, finding, fix, isGone, added, files: changed };
    }
  }
}

/**
 * The findings that a fault hides, by the rule of the fault and the rule that it hides, with the reason. A fix adds only
 * these: the text has them, too, if the author repairs only the fault.
 */
export const HIDDEN: ReadonlyMap<string, string> = new Map([
  ['agent-skill-name-folder broken-link', 'the old name says where a moved skill is'],
  ['broken-link broken-link', 'the headings of a missing file are unknown'],
  ['broken-link unreferenced-file', 'a misspelt path counts as a use of the similar file'],
  ['agent-skill-missing-key agent-skill-missing-key', 'the author must replace the placeholder of the fix'],
  ['circular-dependency invalid-l2-compose', 'the levels of skills in a cycle are unknown'],
  ['incomplete-contract incomplete-contract', 'one finding lists all missing keys, and each fix adds one'],
  ['invalid-artifact-metadata invalid-condition', 'rules do not read broken YAML'],
  ['invalid-execution unknown-step', 'the steps below an unknown key are unknown'],
  ['invalid-l3-compose invalid-level', 'a level above 3 is not recommended'],
  ['invalid-level missing-composition', 'an invalid level requires nothing'],
  ['invalid-level missing-output-schema', 'an invalid level requires nothing'],
  ['invalid-value unknown-server', 'a value of the wrong type is not a name'],
  ['invalid-yaml agent-skill-metadata', 'rules do not read broken YAML'],
  ['invalid-yaml missing-framing', 'rules do not read broken YAML'],
  ['missing-frontmatter missing-key', 'the author must replace the placeholder of the fix'],
  ['missing-key missing-key', 'the author must replace the placeholder of the fix'],
  ['missing-framing unused-template', 'without a framing, the used templates are unknown'],
  ['retired-artifact-kind unused-parameter', 'the content of a retired artifact is unknown'],
  ['retired-artifact-kind unused-template', 'the content of a retired artifact is unknown'],
  ['skill-not-found missing-required-field', 'the inputs and outputs of a missing skill are unknown'],
  ['skill-not-found undeclared-skill', 'a reference to a missing skill is not checked'],
  ['unclear-description unclear-description', 'the author must replace the placeholder of the fix'],
  ['undefined-variable missing-required-field', 'each new input is an input that callers must pass'],
  ['unknown-interrupt unused-interrupt', 'an unknown interrupt is not checked further'],
  ['unused-prose unused-template', 'the template that a key names counts as used'],
  ['version-conflict diamond-dependency', 'a skill in two versions is not one skill'],
]);
