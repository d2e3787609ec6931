/** Finds the skill that a call is about: an existing skill, or unsaved text. */
import { resolve } from 'node:path';
import type { Workspace } from '../../analysis/workspace.ts';
import { findSkill } from '../../authoring/list-skills.ts';
import { isWithin, toUri } from '../../io/paths.ts';
import { isCheckable } from '../../io/select-files.ts';
import type { Composing } from '../../services/composing/composing.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { accepted, refuse, type ToolCall } from './call.ts';
import { type Checking, draftOf } from './drafts.ts';
import type { ServedFolders } from './served-folders.ts';

/** The environment of every tool. */
export interface ToolContext {
  readonly folders: ServedFolders;
  readonly checking: Checking;
  readonly composing: Composing;
  /** The maximum size of a file, in bytes. Larger text is not written, because it could not be read again. */
  readonly maxFileBytes: number;
}

/** A call that writes. */
export interface WriteCall {
  readonly tools: ToolContext;
  readonly given: ToolCall['arguments'];
  readonly signal: AbortSignal;
}

/** Returns the skill whose file is `skill`, or whose name and version are `skill` and `version`. */
export function namedSkill({ folders }: Pick<ToolContext, 'folders'>, given: ToolCall['arguments']): IndexedSkill {
  const { analysis } = folders.workspace;
  const { skill: word = '', version } = given as { readonly skill?: string; readonly version?: string };
  const uri = folders.uriOf(word);
  const reason = uri === undefined ? undefined : analysis.unreadable(uri);
  if (reason) refuse('unreadable', `\`${word}\` cannot be read: ${UNREADABLE[reason].reason}.`);
  return analysis.graph.skills.get(uri ?? '') ?? accepted(findSkill(analysis, word, version));
}

/** Returns the named skill, or the given text, in a draft workspace. */
export function textSubject(
  tools: ToolContext,
  given: ToolCall['arguments'],
): { readonly draft: Workspace; readonly uri: string } {
  const { text, file } = given as { readonly text?: string; readonly file?: string };
  if ((given.skill === undefined) === (text === undefined)) {
    refuse('invalid-argument', 'Pass either `skill`, the name of an existing skill, or `text`.');
  }
  const { folders } = tools;
  if (text === undefined) {
    if (file !== undefined) refuse('invalid-argument', '`file` is the path for saving `text`. Pass both or neither.');
    return { draft: draftOf(folders, []), uri: folders.uriOf(given.skill as string) ?? namedSkill(tools, given).uri };
  }
  const path = resolve(folders.root, file ?? UNSAVED);
  if (!isWithin(folders.root, path)) refuse('outside-root', `\`${file}\` is outside the served folder.`);
  if (!isCheckable(path)) {
    refuse(
      'invalid-argument',
      `\`${file}\` is not a valid name for a skill file. Use a name that ends with \`.skill.md\`, or \`SKILL.md\`.`,
    );
  }
  const uri = toUri(path);
  return { draft: draftOf(folders, [{ uri, text }]), uri };
}

/** The default file name of unsaved text. */
const UNSAVED = 'unsaved.skill.md';
