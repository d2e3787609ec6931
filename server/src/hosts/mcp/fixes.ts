/** The texts that one fix of a finding makes, in all files that it changes. */
import { newSkillFor } from '../../features/actions/new-skill.ts';
import type { Fix } from '../../finding.ts';
import { inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits } from '../../text.ts';
import { textOfNew } from '../handlers/text-of-new.ts';
import { draftOf, type Edit } from './drafts.ts';
import { refuse } from './refused.ts';
import type { Tools } from './subject.ts';

interface Applied {
  readonly edits: readonly Edit[];
  /** How many findings are left that have the same fix. */
  readonly left: number;
}

/** Of several findings with that fix the first one is fixed. */
export async function applyFixEdits(tools: Tools, uri: string, rule: string, title: string): Promise<Applied> {
  const draft = draftOf(tools.folders, []);
  const findings = (await tools.checking.findings(draft, uri)).filter((one) => one.rule === rule);
  const fixes = findings.flatMap((one) => one.fixes.find((fix) => fix.title === title) ?? []);
  const [fix] = fixes;
  const file = draft.analysis.file(uri);
  if (!fix || !file) {
    const titles = [...new Set(findings.flatMap((one) => one.fixes.map((other) => other.title)))];
    const has = titles.length > 0 ? ` Its fixes are ${inWords(titles, 'and')}.` : ' No finding of that rule has a fix.';
    return refuse('no-such-fix', `No finding of \`${rule}\` has the fix "${title}".${has}`);
  }
  if (fix.createsFile) {
    return refuse('no-such-fix', `"${title}" makes a file that is no skill: write it yourself.`);
  }
  const edits = fix.edits.map((one): Edit => {
    const text = draft.index.files.get(one.uri)?.text;
    if (text === undefined) return refuse('outside-root', 'The fix changes a file that the server does not serve.');
    return { uri: one.uri, text: applyEdits(text, one.edits) };
  });
  return { edits: [...edits, ...created(tools, file, fix)], left: fixes.length - 1 };
}

function created({ folders }: Tools, file: SkillFile, { creates }: Fix): readonly Edit[] {
  if (creates === undefined) return [];
  const skill = newSkillFor(folders.workspace.analysis, file, creates);
  if (!skill) {
    refuse(
      'exists',
      `The file of \`${creates}\` is there already, with another skill or none: fix its \`name\` first.`,
    );
  }
  const text = textOfNew(skill) ?? refuse('no-such-fix', `No skill can be called \`${creates}\`: correct the name.`);
  return [{ uri: skill.uri, text }];
}
