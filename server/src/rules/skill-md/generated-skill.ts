import type { Analysis } from '../../analysis/analysis.ts';
import { convertedName, knowsComposedSkills, sourcesDigest } from '../../analysis/package-of.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import { ORIGIN_KEYS, type Origin, originOf, ownDigest, sourceUri, textDigest } from '../../skill/origin.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a converted `SKILL.md` that was edited, or whose source has changed since. */
export const generatedSkill: Rule = {
  name: 'generated-skill',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/sharing.md, "The origin"' },
  dialects: ['agent-skill'],
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    const origin = originOf(file);
    if (!origin || analysis.partial) return;
    const uri = sourceUri(file.uri, origin);
    // The source of an installed or copied skill is somewhere else.
    if (!analysis.file(uri)?.isSkill) return;
    const isCopy = analysis.file(uri)?.dialect === 'agent-skill';
    const name = isCopy
      ? `${decoded(fileNameOf(folderOf(uri)))}/${decoded(fileNameOf(uri))}`
      : decoded(fileNameOf(uri));
    const related = [{ uri, span: span(0, 0), message: 'The source' }];
    const edited = editedFiles(file, analysis, origin);
    const folder = decoded(fileNameOf(folderOf(file.uri)));
    if (!analysis.graph.skills.get(uri)?.summary.broken && convertedName(analysis, uri) !== folder) {
      const advice =
        edited.length > 0 ? 'Move the edit to the source, then delete this folder.' : 'Delete this folder.';
      const message = `\`${name}\` is now converted to another folder. ${advice}`;
      yield { severity: 'info', span: origin.span, message, related };
      return;
    }
    if (edited.length > 0) {
      const what = edited.includes('SKILL.md')
        ? 'This file'
        : listed(edited.slice(0, MOST).map((path) => `\`${path}\``));
      const verb = edited.includes('SKILL.md') || edited.length === 1 ? 'was' : 'were';
      yield {
        span: origin.span,
        message: isCopy
          ? `${what} ${verb} edited, but it is a copy of another skill. Move the edit to the original, then copy it again.`
          : `${what} ${verb} edited after the conversion of \`${name}\`, so the next conversion is refused. Move the edit to the source, then convert it and overwrite the file.`,
        related,
        fixes: withoutOrigin(file),
      };
      return;
    }
    // A composed skill can be in a folder that is not part of the workspace.
    if (sourcesDigest(analysis, uri) === origin.sources || !knowsComposedSkills(analysis, uri)) return;
    yield {
      severity: 'info',
      span: origin.span,
      message: isCopy
        ? 'The original of this copy has changed. Convert it again, to copy it to this file.'
        : `\`${name}\`, or a skill that it composes, has changed since it was converted to this file. Convert it again.`,
      related,
    };
  },
};

/** The largest number of files that a message names. */
const MOST = 3;

/** Returns the paths of the written files whose text differs from the digests in the origin. */
function editedFiles(file: SkillFile, analysis: Analysis, { files }: Origin): readonly string[] {
  const texts = new Map(analysis.folder(file.uri)?.files.map(({ path, text }) => [path, text]));
  return [...files].flatMap(([path, digest]) => {
    const text = texts.get(path);
    const now = path === 'SKILL.md' ? ownDigest(file) : text === undefined ? undefined : textDigest(text);
    return now === undefined || now === digest ? [] : [path];
  });
}

/** Returns the fix that makes the file independent of its source. */
function withoutOrigin(file: SkillFile): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  const metadata = findValue(root, 'metadata');
  if (root?.kind !== 'map' || metadata?.kind !== 'map') return [];
  const keys = metadata.entries.map(({ key }) => String(key.value));
  const edits = keys.every((key) => ORIGIN_KEYS.has(key))
    ? removeEntry(file.text, root, 'metadata')
    : [...ORIGIN_KEYS].flatMap((key) => removeEntry(file.text, metadata, key));
  return fixHere(file, 'Keep the edit, and remove the origin', edits);
}
