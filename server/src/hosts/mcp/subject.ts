/** Which skill a call is about: one that is there, or a text that is not saved yet. */
import { resolve } from 'node:path';
import type { Workspace } from '../../analysis/workspace.ts';
import { findSkill } from '../../authoring/list-skills.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import type { Composing } from '../composing/composing.ts';
import { isWithin, toUri } from '../node/paths.ts';
import { isCheckable } from '../node/select-files.ts';
import { accepted, refuse, type ToolCall } from './call.ts';
import { type Checking, draftOf } from './drafts.ts';
import type { ServedFolders } from './served-folders.ts';

/** What every tool works with. */
export interface Tools {
  readonly folders: ServedFolders;
  readonly checking: Checking;
  readonly composing: Composing;
  /** In bytes; a larger text is not written, since it could not be read again. */
  readonly maxFileBytes: number;
}

/** A call that writes. */
export interface WriteCall {
  readonly tools: Tools;
  readonly given: ToolCall['arguments'];
  readonly signal: AbortSignal;
}

/** The skill in the file that `skill` names, or the one that `skill` and `version` name. */
export function named({ folders }: Pick<Tools, 'folders'>, given: ToolCall['arguments']): IndexedSkill {
  const { analysis } = folders.workspace;
  const { skill: word = '', version } = given as { readonly skill?: string; readonly version?: string };
  const uri = folders.uriOf(word);
  const reason = uri === undefined ? undefined : analysis.unreadable(uri);
  if (reason) refuse('unreadable', `\`${word}\` cannot be read: ${UNREADABLE[reason].reason}.`);
  return analysis.graph.skills.get(uri ?? '') ?? accepted(findSkill(analysis, word, version));
}

/** The skill that is named, or the text that is given, in a workspace of its own. */
export function textSubject(
  tools: Tools,
  given: ToolCall['arguments'],
): { readonly draft: Workspace; readonly uri: string } {
  const { text, file } = given as { readonly text?: string; readonly file?: string };
  if ((given.skill === undefined) === (text === undefined)) {
    refuse('invalid-argument', 'Give either `skill`, the name of a skill that is there, or `text`.');
  }
  const { folders } = tools;
  if (text === undefined) {
    if (file !== undefined) refuse('invalid-argument', '`file` says where `text` would be saved: give both.');
    return { draft: draftOf(folders, []), uri: folders.uriOf(given.skill as string) ?? named(tools, given).uri };
  }
  const path = resolve(folders.root, file ?? UNSAVED);
  if (!isWithin(folders.root, path)) refuse('outside-root', `\`${file}\` is not in the folder that is served.`);
  if (!isCheckable(path)) {
    refuse(
      'invalid-argument',
      `\`${file}\` is no skill by its name: it ends with \`.skill.md\`, or is a \`SKILL.md\`.`,
    );
  }
  const uri = toUri(path);
  return { draft: draftOf(folders, [{ uri, text }]), uri };
}

/** Where a text is taken to stand of which nothing is said. */
const UNSAVED = 'unsaved.skill.md';
