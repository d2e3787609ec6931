/** Checks the files that a call would write, writes all or none of them, and reports the effects. */
import { createTwoFilesPatch } from 'diff';
import { compareContracts, viewOfComparison } from '../../authoring/compare-contracts.ts';
import { capabilitiesOf, capabilityChange } from '../../authoring/list-skills.ts';
import type { Finding } from '../../finding.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { type AuthoringResult, refuse } from './call.ts';
import { draftOf, type Edit } from './drafts.ts';
import { assertUnused, sinceHead } from './reads.ts';
import type { WriteCall } from './subject.ts';
import { changeIn, writeChanges } from './write-changes.ts';

interface Commit {
  /** The skill that the call is about. */
  readonly about: string;
  readonly edits: readonly Edit[];
  /** Set if the text may contain errors, as long as the call does not increase the number of errors. */
  readonly fixes?: true;
  /** The first fields of the result, even if nothing is written. */
  readonly extra?: object;
}

export async function commit(call: WriteCall, { about, edits, fixes, extra }: Commit): Promise<AuthoringResult> {
  const { tools, given, signal } = call;
  const { folders, checking, maxFileBytes } = tools;
  const { index, analysis } = folders.workspace;
  const textOf = (uri: string) => index.files.get(uri)?.text;
  const draft = draftOf(folders, edits);
  const findings = await checking.findings(draft, about);
  const old = textOf(about);
  const now = draft.index.files.get(about)?.text ?? '';
  const before = old === undefined ? undefined : new SkillFile(about, old);
  const after = new SkillFile(about, now);
  const named = analysis.graph.skills.get(about);
  if (named && named.summary.name !== after.contract.name?.name) assertUnused(call, named, BEFORE_RENAMING);
  const capabilities = capabilitiesOf(draft.analysis, about);
  const files = draft.analysis.folder(about)?.files;
  const changed = edits.filter(({ uri, text }) => textOf(uri) !== text);
  const large = changed.find(({ text = '' }) => Buffer.byteLength(text) > maxFileBytes);
  if (large) {
    const most = `${maxFileBytes / 1024 / 1024} MB`;
    refuse(
      'invalid-content',
      `\`${folders.fileOf(large.uri)}\` would be larger than ${most}, the limit for reading it.`,
    );
  }
  const meaning = {
    ...extra,
    skill: after.contract.name?.name ?? null,
    file: folders.fileOf(about),
    diff: changed.map(({ uri, text }) => diffOf(folders.fileOf(uri), textOf(uri), text)).join(''),
    findings: checking.view(draft, about, findings),
    ...(await checking.errorsElsewhere(draft, edits, about)),
    contract: viewOfComparison(compareContracts(before, after), before, after),
    sinceHead: await sinceHead(folders, about, after),
    capabilities: { ...capabilities, ...capabilityChange(capabilitiesOf(analysis, about, files), capabilities) },
  };
  const errors = errorsAmong(findings);
  if (given.allow_errors !== true && errors.length > 0) {
    const known = errorsAmong(await checking.findings(draftOf(folders, []), about)).map(wordsOf);
    // A fix may reveal another error at the same position.
    if (!fixes || errors.length > known.length) {
      const old = errors.filter((error) => known.includes(wordsOf(error))).length;
      refuse('invalid', notWritten(errors.length, old), meaning);
    }
  }
  if (signal.aborted) refuse('cancelled', 'The call was cancelled. Nothing was written.');
  await writeChanges(changed.map(({ uri, text }) => changeIn(folders, uri, textOf(uri), text)));
  await folders.refresh();
  return { ok: true, ...meaning, digest: contentDigest(now), written: changed.map(({ uri }) => folders.fileOf(uri)) };
}

const BEFORE_RENAMING =
  'to rename the skill, pass `even_if_used: true`, and then update `composes` in the skills that compose it.';

const errorsAmong = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ severity }) => severity === 'error');

const wordsOf = ({ rule, message }: Finding): string => `${rule} ${message}`;

/** Returns the message of a refusal. `old` of the `errors` are already in the current text. */
function notWritten(errors: number, old: number): string {
  const count = errors === 1 ? 'an error' : `${errors} errors`;
  const known = old === 0 ? '' : old === errors ? ', which it already has' : `, ${old} of which it already has`;
  return `Not written: the text would have ${count}${known}. Fix the errors in \`findings\`, or pass \`allow_errors: true\` for a draft.`;
}

/** The maximum number of edits in a diff. A comparison with more edits would take too long. */
const MAX_EDITS = 2000;
/** The maximum length of a diff, in UTF-16 code units. */
const MAX_DIFF = 200_000;

function diffOf(file: string, old: string | undefined, text: string | undefined): string {
  const [from, to] = [old === undefined ? '/dev/null' : `a/${file}`, text === undefined ? '/dev/null' : `b/${file}`];
  const patch = createTwoFilesPatch(from, to, old ?? '', text ?? '', '', '', { maxEditLength: MAX_EDITS });
  if (patch === undefined || patch.length > MAX_DIFF)
    return `--- ${from}\n+++ ${to}\n@@ too many changes for a line-by-line diff @@\n`;
  // Remove the line of equals signs above the file names, which belongs to another patch format.
  return patch.replace(/^=+\n/, '');
}
