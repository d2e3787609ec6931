/**
 * The folders of a workspace that some client reads. They are written here, and equal the facts about clients, so that a
 * search for files does not load the facts.
 */
const PATHS: readonly string[] = [
  '.agent/skills',
  '.agents/skills',
  '.agents/skills-*',
  '.augment/skills',
  '.claude/agents',
  '.claude/commands',
  '.claude/skills',
  '.cline/skills',
  '.clinerules/skills',
  '.codex/skills',
  '.continue/skills',
  '.crush/skills',
  '.cursor/skills',
  '.devin/skills',
  '.factory/skills',
  '.gemini/skills',
  '.github/agents',
  '.github/skills',
  '.goose/skills',
  '.junie/skills',
  '.kilo/skill',
  '.kilo/skills',
  '.kilocode/skills',
  '.kimi/skills',
  '.kiro/skills',
  '.opencode/agents',
  '.opencode/commands',
  '.opencode/skill',
  '.opencode/skills',
  '.openhands/microagents',
  '.openhands/skills',
  '.pi/skills',
  '.qoder/skills',
  '.qwen/skills',
  '.roo/skills',
  '.roo/skills-*',
  '.skills',
  '.vibe/skills',
  '.windsurf/skills',
  'skills',
];

/** The paths of all folders in which some client reads skills, agents or commands, as lists of names. */
export const CLIENT_PATHS: readonly (readonly string[])[] = PATHS.map((path) => path.split('/'));

/** Returns true if a folder has the name. `skills-*` matches any longer name with this prefix. */
export const isCalled = (folder: string, name: string): boolean =>
  name.endsWith('*') ? folder.length >= name.length && folder.startsWith(name.slice(0, -1)) : folder === name;
