/** The files that the server reads, the file access of a server in a browser, and new and converted files. */

import type { OutputFile } from '../exchange/conversion.ts';
import type { Range } from '../text.ts';
import type { Unreadable } from '../workspace/unreadable.ts';

/** The default globs (docs/format.md, section 1). */
export const DEFAULT_FILES: readonly string[] = [
  '**/*.skill.md',
  '**/skills/*.md',
  '**/{SKILL.md,SKILL.MD,Skill.md,skill.md}',
  '**/*.skill.{yaml,yml}',
  '**/*.skill.json',
];

/** Other files that the server reads, independent of the setting for skills. */
export const CATALOG_FILES: readonly string[] = [
  '**/skills.config.yaml',
  '**/skills.tools.json',
  '**/skills.baseline.json',
];

/**
 * The folders in which clients look for `SKILL.md` folders. New skills go into the first one that exists, else into
 * the first one.
 */
export const CLIENT_SKILL_FOLDERS: readonly string[] = ['.agents/skills', '.claude/skills', '.github/skills'];

/**
 * Returns the kind of a new skill in a folder: `agent-skill` in a client's folder of skills, else the kind of most skills in
 * the nearest folder that contains some; undefined without skills.
 *
 * @param at the path or the URI of the folder
 * @param skills the paths or the URIs of the skills
 */
export function kindBeside(at: string, skills: readonly string[]): 'agent-skill' | 'literal' | undefined {
  if (/\/\.[\w-]+\/skills(?:\/|$)/.test(`/${at}`)) return 'agent-skill';
  for (let folder = at; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const inside = skills.filter((path) => path.startsWith(`${folder}/`));
    const standard = inside.filter((path) => path.endsWith('/SKILL.md')).length;
    if (inside.length > 0) return standard * 2 > inside.length ? 'agent-skill' : 'literal';
  }
  return undefined;
}

/**
 * The manifests of plugins and marketplaces. They are read wherever they are: a `plugin.json` may be one of Agent Plugins, and a
 * `marketplace.json` may be in the wrong folder.
 */
export const PLUGIN_FILES: readonly string[] = [
  '**/{plugin,marketplace}.json',
  '**/{gemini,qwen}-extension.json',
  '**/hooks/hooks.json',
];

/** The instructions of a project for agents (docs/format.md, section 1). */
export const INSTRUCTION_FILES: readonly string[] = [
  '**/{CLAUDE,CLAUDE.local,AGENTS,GEMINI}.md',
  '**/.github/copilot-instructions.md',
];

/**
 * The agents and commands of Claude Code, which are used only in a folder `.claude` or beside skills, and other files
 * that name skills: the instructions for agents, the cases beside skills, and the workflows that run clients.
 */
export const CLIENT_FILES: readonly string[] = [
  '**/{agents,commands}/*.md',
  '**/{agents,commands}/*/*.md',
  '**/{agents,commands}/*/*/*.md',
  '**/.{claude,github,opencode}/{agents,commands}/**/*.md',
  '**/.opencode/{agent,command}/**/*.md',
  ...INSTRUCTION_FILES,
  '**/evals/*.json',
  '**/agents/{openai,OpenAI,Openai,OPENAI}.{yaml,yml}',
  '**/skills/*/{openai,OpenAI,Openai,OPENAI}.{yaml,yml}',
  '**/.github/workflows/*.{yml,yaml}',
  '**/.gitlab-ci.{yml,yaml}',
];

// The globs of the setting `files`. Settings are not trusted, and editors match globs with regular expressions.

const LONGEST = 500;
const MOST_ALTERNATIVES = 64;
const MOST_STARS = 3;
/** The maximum length of all settings together, in UTF-16 code units. */
export const LONGEST_SETTINGS = 100_000;

/** Returns the valid globs in a value of the setting `files`, or the default. The server reports an invalid setting. */
export function usableGlobs(files: unknown): readonly string[] {
  if (!Array.isArray(files)) return DEFAULT_FILES;
  const globs = files.filter((glob) => typeof glob === 'string' && globProblem(glob) === undefined);
  const isTooLong = globs.reduce((sum, glob) => sum + glob.length, 0) > LONGEST_SETTINGS;
  return (globs.length > 0 && !isTooLong) || files.length === 0 ? globs : DEFAULT_FILES;
}

/** Returns why a glob is invalid, as the end of a sentence; undefined if it is valid. */
export function globProblem(glob: string): string | undefined {
  const bare = glob.replace(/^!/, '');
  if (bare.trim() === '') return 'it is empty';
  if (bare.length > LONGEST) return `it has more than ${LONGEST} characters`;
  const all = expandBraces(bare);
  if (!all) return `its braces expand to more than ${MOST_ALTERNATIVES} globs`;
  const isWild = all.some((one) => one.split('/').some((name) => [...name.matchAll(/\*+/g)].length > MOST_STARS));
  return isWild ? `a name in it has more than ${MOST_STARS} \`*\`` : undefined;
}

/** Returns the globs that the braces of a glob expand to; undefined if there would be too many globs. */
export function expandBraces(glob: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const group = findBraces(one);
    if (!group) done.push(one);
    else open.push(...group);
    if (done.length + open.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

/**
 * Returns one glob for each alternative in the first braces that contain a comma; undefined if there are no such
 * braces.
 */
function findBraces(glob: string): readonly string[] | undefined {
  for (let start = glob.indexOf('{'); start >= 0; start = glob.indexOf('{', start + 1)) {
    let depth = 0;
    const cuts = [start];
    for (let at = start; at < glob.length; at++) {
      const char = glob[at];
      if (char === '{') depth++;
      else if (char === '}') depth--;
      if (depth === 0 || (depth === 1 && char === ',')) cuts.push(at);
      if (depth > 0) continue;
      if (cuts.length === 2) break;
      const [before, after] = [glob.slice(0, start), glob.slice(at + 1)];
      return cuts.slice(1).map((cut, index) => `${before}${glob.slice((cuts[index] as number) + 1, cut)}${after}`);
    }
  }
  return undefined;
}

/**
 * The content of a file as a host reads it. If the file is a link, `target` is the URI that it resolves to. `replaced` is
 * the text of a file whose bytes are not UTF-8, with U+FFFD in their place, as most clients of `SKILL.md` read it.
 */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly target?: string }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable; readonly target?: string; readonly replaced?: string }
  /** A link to a file that is also read directly. */
  | { readonly kind: 'same'; readonly target: string }
  | { readonly kind: 'absent' };

/** The maximum size of a file that a host reads. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface ListedEntry {
  readonly name: string;
  /** A link to a folder counts as a link. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export type BytesContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable }
  | { readonly kind: 'absent' };

/** The problem, as a phrase that ends a sentence; null on success. */
export interface WriteTreeReply {
  readonly problem: string | null;
}

/** The new file, or the problem with the name or the description. */
export type NewSkillReply =
  | {
      readonly name: string;
      /** The path relative to the folder for the skill, with `/` separators. */
      readonly fileName: string;
      readonly text: string;
      /** The span of the description in the text, in UTF-16 code units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

export interface NewCatalogReply {
  readonly fileName: string;
  readonly text: string;
  /** The number of tools in the catalog. Each of these tools is named in a skill. */
  readonly tools: number;
}

/** Null if the server does not know the document and the request contains no text. */
export type ConvertReply =
  | {
      /** The converted file, followed by files that accompany it. */
      readonly files: readonly OutputFile[];
      readonly lost: readonly { readonly what: string; readonly range: Range; readonly why: string }[];
      /** The folder beside the source, from which all files are copied unchanged; null if no files are copied. */
      readonly along: string | null;
      /** The linked files that are copied unchanged if they exist: their URIs, and their paths beside the converted file. */
      readonly linked: readonly { readonly from: string; readonly path: string }[];
    }
  | { readonly problem: string; readonly range: Range | null };

/** The result of writing `SKILL.md` folders, or why nothing was written. */
export type EmitReply =
  | {
      /** The URIs of the `SKILL.md` files that were written or are current. */
      readonly targets: readonly string[];
      /** True if a file was written or removed. */
      readonly isChanged: boolean;
      readonly problems: readonly EmitProblem[];
    }
  /** `needsClients` is true if there are no target clients. */
  | { readonly problem: string; readonly needsClients?: true };

/** The next text of each text file of a target that a conversion would change, or why nothing can be compared. */
export type EmitPreviewReply =
  | { readonly files: readonly { readonly uri: string; readonly text: string }[] }
  | { readonly problem: string };

export interface EmitProblem {
  readonly problem: string;
  /** The URI of the skill with the problem. */
  readonly source: string;
  /** The URI of the file with the problem: the target, or the source if it cannot be converted. */
  readonly uri: string;
  /** True if `overwrite` with this `uri` helps. */
  readonly isForcible: boolean;
  /** True if the skill was converted in spite of the problem. */
  readonly isConverted?: true;
}
