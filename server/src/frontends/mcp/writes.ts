/** The authoring tools that write. Each makes the new text; `commit` checks and writes it. */
import { join, relative, resolve, sep } from 'node:path';
import { overlaps } from '../../audit/overlap.ts';
import {
  type ArtifactName,
  addArtifact,
  type Content,
  removeArtifact,
  updateArtifact,
} from '../../authoring/artifacts.ts';
import { initialText, type NewArtifact, newSkill } from '../../authoring/new-skill.ts';
import { isRefused, type Rewriting } from '../../authoring/refusal.ts';
import { type Fields, setFields } from '../../authoring/set-fields.ts';
import { setFraming } from '../../authoring/set-framing.ts';
import { newSkillFor } from '../../features/actions/new-skill.ts';
import type { Fix } from '../../finding.ts';
import { isIgnored } from '../../io/globs.ts';
import { isFolder, isUri, isWithin, toUri } from '../../io/paths.ts';
import { isCheckable } from '../../io/select-files.ts';
import { termsOf } from '../../matching/words.ts';
import { inWords } from '../../nearest.ts';
import { namedSkills } from '../../planner/offered.ts';
import type { Kind } from '../../scaffold/scaffold.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import { namesProblem } from '../../skill/kebab-name.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, showInvisible } from '../../text.ts';
import { skillsNamed } from '../../workspace/workspace-index.ts';
import { type AuthoringResult, accepted, refuse, type ToolCall } from './call.ts';
import { commit } from './commit.ts';
import { draftOf, type Edit } from './drafts.ts';
import { assertUnused, namesOf } from './reads.ts';
import { namedSkill, type ToolContext, type WriteCall } from './subject.ts';
import { changeIn, writeChanges } from './write-changes.ts';

type Arguments = ToolCall['arguments'];

/** Changes the file of the named skill. */
async function rewrite(call: WriteCall, change: (file: SkillFile) => Rewriting): Promise<AuthoringResult> {
  const { tools, given } = call;
  const { uri } = namedSkill(tools, given);
  const file = current(call, uri);
  const { text } = accepted(change(file));
  return commit(call, { about: uri, edits: [{ uri, text }] });
}

/** Returns the current file. Refuses if its digest differs from the caller's. */
function current({ tools, given }: WriteCall, uri: string): SkillFile {
  const { folders } = tools;
  const text = folders.workspace.index.files.get(uri)?.text ?? '';
  const digest = contentDigest(text);
  if (given.digest !== undefined && given.digest !== digest) {
    const file = folders.fileOf(uri);
    refuse('changed', `\`${file}\` has changed since you read it. Apply the change to the current text.`, {
      ...{ file, text, digest },
    });
  }
  return new SkillFile(uri, text);
}

export function runUpdateSkill(call: WriteCall): Promise<AuthoringResult> {
  const {
    set = {},
    unset = [],
    framing,
  } = call.given as {
    readonly set?: Fields;
    readonly unset?: readonly string[];
    readonly framing?: string;
  };
  if (call.given.set === undefined && call.given.unset === undefined && framing === undefined) {
    refuse('invalid-argument', 'Nothing to change. Pass `set`, `unset` or `framing`.');
  }
  const { name } = set;
  const { graph } = call.tools.folders.workspace.analysis;
  const skill = namedSkill(call.tools, call.given);
  if (typeof name === 'string' && name !== skill.summary.name && skillsNamed(graph, name).length > 0) {
    refuse('exists', `Skill \`${name}\` already exists. Choose another name.`);
  }
  return rewrite(call, (file) => {
    const changed = setFields(file, set, unset);
    return isRefused(changed) || framing === undefined
      ? changed
      : setFraming(new SkillFile(file.uri, changed.text), framing);
  });
}

const artifactOf = ({ kind, name, model_variant }: Arguments): ArtifactName => ({
  kind: kind as string,
  name: name as string | undefined,
  variant: model_variant as string | undefined,
});

export const runAddArtifact = (call: WriteCall): Promise<AuthoringResult> =>
  rewrite(call, (file) => {
    const { content, metadata } = call.given as { readonly content: Content; readonly metadata?: Fields };
    return addArtifact(file, artifactOf(call.given), content, metadata);
  });

export const runUpdateArtifact = (call: WriteCall): Promise<AuthoringResult> =>
  rewrite(call, (file) => {
    const { content, set, unset } = call.given as Parameters<typeof updateArtifact>[2];
    if (content === undefined && set === undefined && unset === undefined) {
      refuse('invalid-argument', 'Nothing to change. Pass `content`, `set` or `unset`.');
    }
    return updateArtifact(file, artifactOf(call.given), {
      ...(content === undefined ? {} : { content }),
      ...(set === undefined ? {} : { set }),
      ...(unset === undefined ? {} : { unset }),
    });
  });

export const runRemoveArtifact = (call: WriteCall): Promise<AuthoringResult> =>
  rewrite(call, (file) => removeArtifact(file, artifactOf(call.given)));

export async function runCreateSkill(call: WriteCall): Promise<AuthoringResult> {
  const { tools, given } = call;
  const { folders } = tools;
  const name = given.name as string;
  const folder = await folderFor(tools, given.where as string | undefined);
  const existing = skillsNamed(folders.workspace.analysis.graph, name).map(({ uri }) => uri);
  const own = existing.find((uri) => folders.folderOf(uri) === folder.served);
  if (own !== undefined) {
    refuse(
      'exists',
      `Skill \`${name}\` already exists in \`${folders.fileOf(own)}\`. Update it, or choose another name.`,
    );
  }
  const uriOf = (fileName: string): string => toUri(join(folder.path, fileName));
  const artifacts = given.artifacts as readonly (Arguments & { content: Content; metadata?: Fields })[] | undefined;
  const made = accepted(
    newSkill(
      {
        ...(given as { readonly description: string; readonly version?: string; readonly framing?: string }),
        ...(given as { readonly template?: Kind; readonly metadata?: Fields; readonly tools?: readonly string[] }),
        name,
        inputSchema: given.input_schema as Fields | undefined,
        outputSchema: given.output_schema as Fields | undefined,
        artifacts: artifacts?.map(
          (one): NewArtifact => ({ ...artifactOf(one), content: one.content, metadata: one.metadata }),
        ),
      },
      uriOf,
    ),
  );
  const uri = uriOf(made.fileName);
  const path = join(folder.path, made.fileName);
  if (folders.workspace.index.files.has(uri)) {
    const file = folders.fileOf(uri);
    refuse('exists', `\`${file}\` already exists and does not define this skill. Choose another name or \`where\`.`);
  }
  if (!isCheckable(path) || isIgnored(relative(folder.served, path).replaceAll(sep, '/'))) {
    refuse('invalid-argument', 'Skills are not read from this folder. Choose another `where`.');
  }
  const similar = overlapping(tools, uri, given.description as string);
  return commit(call, { about: uri, edits: [{ uri, text: made.text }], extra: { overlaps: similar } });
}

/** Returns the folder for a new skill, and the served folder that contains it. */
async function folderFor({ folders }: ToolContext, where = 'workspace') {
  const { root, account } = folders;
  if (where === 'account') {
    if (account === undefined) {
      return refuse('no-account', 'No account folder is served. Start the server with `--account DIR`.');
    }
    return { path: account, served: account };
  }
  if (where !== 'workspace') {
    if (isUri(where)) refuse('invalid-argument', `\`${where}\` is a URL. Pass the path of a folder in the workspace.`);
    const path = resolve(root, where);
    if (!isWithin(root, path)) refuse('outside-root', `\`${where}\` is outside the served folder.`);
    const problem = (await isFolder(path)) ? undefined : namesProblem(relative(root, path).replaceAll(sep, '/'));
    if (problem !== undefined) refuse('invalid-argument', `\`${where}\` ${problem}. Choose another \`where\`.`);
    return { path, served: root };
  }
  const skills = join(root, 'skills');
  return { path: (await isFolder(skills)) ? skills : root, served: root };
}

/** The similarity threshold that `audit` uses. */
const OVERLAP = 0.5;

/** Returns the skills with similar descriptions, the most similar first. */
function overlapping({ folders }: ToolContext, uri: string, description: string) {
  const { analysis } = folders.workspace;
  const others = namedSkills(analysis, analysis.index.files.keys()).filter((one) => one.uri !== uri);
  const texts = others.map((one) => termsOf(analysis.file(one.uri)?.contract.description?.name ?? ''));
  return overlaps([termsOf(description), ...texts], OVERLAP).pairs.flatMap(({ a, b, similarity, shared }) => {
    const other = a === 0 ? others[b - 1] : undefined;
    if (!other) return [];
    return [{ name: other.summary.name ?? '', file: folders.fileOf(other.uri), similarity, shared }];
  });
}

/** Returns the question that the user must answer before a skill is deleted. */
export function questionOfDelete(call: WriteCall): string {
  const skill = namedSkill(call.tools, call.given);
  const users = assertUnused(call, skill, BEFORE_DELETING);
  const used = users.length > 0 ? ` Skills that compose it: ${namesOf(users)}.` : '';
  return showInvisible(`Delete the skill \`${call.given.skill}\` (${call.tools.folders.fileOf(skill.uri)})?${used}`);
}

const BEFORE_DELETING = 'remove it from `composes` first, or pass `even_if_used: true`.';

export async function runDeleteSkill(call: WriteCall): Promise<AuthoringResult> {
  const { tools, given, signal } = call;
  const { folders } = tools;
  const skill = namedSkill(tools, given);
  const composed_by = assertUnused(call, skill, BEFORE_DELETING);
  const { text } = current(call, skill.uri);
  if (signal.aborted) refuse('cancelled', 'The call was cancelled. Nothing was written.');
  await writeChanges([changeIn(folders, skill.uri, text, undefined)]);
  await folders.refresh();
  return { ok: true, skill: skill.summary.name ?? null, deleted: [folders.fileOf(skill.uri)], composed_by };
}

export async function runApplyFix(call: WriteCall): Promise<AuthoringResult> {
  const { tools, given } = call;
  const { uri } = namedSkill(tools, given);
  current(call, uri);
  const { edits, left } = await applyFixEdits(tools, uri, given.rule as string, given.title as string);
  const result = await commit(call, { about: uri, edits, fixes: true });
  return { ...result, left };
}

// The new text of all files that one fix changes.

interface Applied {
  readonly edits: readonly Edit[];
  /** The number of remaining findings that have the same fix. */
  readonly left: number;
}

/** Fixes the first finding with this fix. */
async function applyFixEdits(tools: ToolContext, uri: string, rule: string, title: string): Promise<Applied> {
  const draft = draftOf(tools.folders, []);
  const findings = (await tools.checking.findings(draft, uri)).filter((one) => one.rule === rule);
  const fixes = findings.flatMap((one) => one.fixes.find((fix) => fix.title === title) ?? []);
  const [fix] = fixes;
  const file = draft.analysis.file(uri);
  if (!fix || !file) {
    const titles = [...new Set(findings.flatMap((one) => one.fixes.map((other) => other.title)))];
    const has =
      titles.length > 0 ? ` The available fixes are ${inWords(titles, 'and')}.` : ' Its findings have no fixes.';
    return refuse('no-such-fix', `No finding of \`${rule}\` has the fix "${title}".${has}`);
  }
  if (fix.createsFile) {
    return refuse('no-such-fix', `"${title}" creates a file that is not a skill. Create this file yourself.`);
  }
  if (fix.moves) return refuse('no-such-fix', `"${title}" moves a file. Move this file yourself.`);
  if (fix.shares) {
    return refuse(
      'no-such-fix',
      `"${title}" writes links or copies. Use \`skill-composer convert --clients\` instead.`,
    );
  }
  const edits = fix.edits.map((one): Edit => {
    const text = draft.index.files.get(one.uri)?.text;
    if (text === undefined) return refuse('outside-root', 'The fix changes a file outside the served folders.');
    return { uri: one.uri, text: applyEdits(text, one.edits) };
  });
  return { edits: [...edits, ...created(tools, file, fix)], left: fixes.length - 1 };
}

function created({ folders }: ToolContext, file: SkillFile, { creates }: Fix): readonly Edit[] {
  if (creates === undefined) return [];
  const skill = newSkillFor(folders.workspace.analysis, file, creates);
  if (!skill) {
    refuse(
      'exists',
      `The file for \`${creates}\` already exists and does not define this skill. Correct \`name\` in this file first.`,
    );
  }
  const text = initialText(skill) ?? refuse('no-such-fix', `\`${creates}\` is not a valid skill name. Correct it.`);
  return [{ uri: skill.uri, text }];
}
