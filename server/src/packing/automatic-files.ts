/**
 * Files that programs run or load without a request, by their paths: hooks, tasks, servers, workflows, instructions
 * (docs/installing.md, "Files that run by themselves").
 */

import { clients } from '../clients/facts/clients.ts';
import { foldedPath } from '../skill/kebab-name.ts';
import type { UnitFile } from './unit.ts';

export interface AutomaticFile {
  readonly path: string;
  /** The program, as a participle that continues a sentence after the path: "run by direnv". */
  readonly why: string;
}

/**
 * Returns why a file runs by itself, or undefined if it does not. The letter case of a name does not matter, because
 * many file systems ignore it.
 */
export function automaticFile({ path, text }: Pick<UnitFile, 'path' | 'text'>): AutomaticFile | undefined {
  const parts = path.split('/');
  const folded = parts.map((part) => foldedPath(part).replaceAll('/', '_')).join('/');
  if (EXAMPLE.test(folded)) return undefined;
  const found = FILES.flatMap(([why, pattern]) => {
    const match = pattern.exec(folded);
    const isUsed = match && (match[0] !== 'package.json' || hasLifecycleScript(text));
    return isUsed ? [{ why, at: match.index }] : [];
  });
  // The outermost folder decides: `.vscode/mcp.json` belongs to the editor.
  const [first] = found.sort((one, other) => one.at - other.at);
  if (!first) return undefined;
  const folder = parts.slice(0, folded.slice(0, first.at).split('/').length - 1);
  const where = folder.length === 0 ? '' : `, if \`${folder.join('/')}\` is the opened folder`;
  return { path, why: first.why + where };
}

/** Returns whether a `package.json` has a script that an installation of dependencies runs, or cannot be read. */
function hasLifecycleScript(text: string | undefined): boolean {
  try {
    const { scripts = {} } = JSON.parse((text ?? '').replace(/^\uFEFF/, '')) as { readonly scripts?: object };
    return Object.keys(scripts).some((name) =>
      /^(?:pre|post)?(?:install|prepare|publish|pack)$|^dependencies$/.test(name),
    );
  } catch {
    return true;
  }
}

/** Folders with the settings of clients for which there is no list of the folders with skills. */
const OTHER_CLIENTS =
  '.agent .amazonq .amp .antigravity .augment .crush .devin .factory .grok .junie .kiro .kilocode .qoder .trae .warp';

/** The folders of clients, without `.github`, which has many files for other purposes. */
const CLIENT_FOLDERS = OTHER_CLIENTS.split(' ').concat(
  clients
    .flatMap(({ dirs }) => dirs.value.flatMap(({ path }) => /^\.\w+(?=\/(?:agent\/)?skills)/.exec(path)?.[0] ?? []))
    .filter((folder) => folder !== '.github'),
);

/**
 * The reasons with the paths: a folder ends with `/`, and `*` matches a part of a name. Only files that run or are
 * loaded without a request are listed, so not a `Makefile`.
 */
const PATHS: readonly (readonly [string, string])[] = [
  [
    'loaded by coding agents, which run its hooks',
    '.github/agents/ .github/chatmodes/ .github/copilot* .github/hooks/ .github/instructions/ .github/prompts/ ' +
      '.github/plugin/ .github/mcp* .github/lsp.json',
  ],
  [
    'read by coding agents in every session',
    'AGENTS.md AGENTS.override.md AGENTS.local.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md CRUSH.md ' +
      'CRUSH.local.md WARP.md replit.md .rules .cursorrules .windsurfrules .clinerules .roorules* .kilocoderules* ' +
      '.goosehints .continuerules .aider*',
  ],
  [
    'read by clients, which start its servers',
    '.mcp.json .mcp.*.json mcp.json mcp.jsonc mcp-*.json mcp_*.json .lsp.json lsp.json opencode.json opencode.jsonc ' +
      '.opencode.json crush.json .crush.json gemini-extension.json qwen-extension.json',
  ],
  [
    'a part of a plugin, with hooks and servers',
    '.*-plugin/ .plugin/ hooks/hooks.json hooks.json monitors/monitors.json',
  ],
  [
    'used by the editor, which may run its tasks',
    '.vscode/ .idea/ .zed/ .fleet/ .vs/ .devcontainer/ .devcontainer.json devcontainer.json *.code-workspace ' +
      '*.sublime-project .nvim.lua .nvimrc .vimrc .exrc .dir-locals.el',
  ],
  [
    'run by extensions of the editor',
    'eslint.config.* prettier.config.* stylelint.config.* postcss.config.* tailwind.config.* jest.config.* ' +
      'vitest.config.* .eslintrc* .prettierrc* .stylelintrc* .remarkrc* .babelrc* .pylintrc .markdownlint*js',
  ],
  [
    'run or loaded by the shell',
    '.envrc .env .env.* .autoenv* mise.toml mise.*.toml .mise.toml .mise/ .tool-versions .bashrc .bash_* .profile ' +
      '.zshrc .zshenv .zprofile .zlogin .zlogout .ssh/',
  ],
  [
    'used by git',
    '.husky/ .githooks/ .git-hooks/ hooks/pre-* hooks/post-* hooks/commit-msg hooks/prepare-* lefthook.* .lefthook.* lefthook-local.* .pre-commit-config.yaml ' +
      '.pre-commit-config.yml .overcommit.yml .gitattributes .gitmodules .gitconfig HEAD',
  ],
  [
    'run by a build service',
    '.github/workflows/ .github/actions/ .gitea/workflows/ .forgejo/workflows/ .gitlab-ci.yml .gitlab-ci.yaml ' +
      '.gitlab/ .circleci/ .buildkite/ .travis.yml .drone.yml .woodpecker.yml .woodpecker.yaml .woodpecker/ ' +
      '.semaphore/ .teamcity/ .azure-pipelines/ azure-pipelines*.yml azure-pipelines*.yaml appveyor.yml ' +
      '.appveyor.yml .cirrus.yml .gitpod.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml codemagic.yaml ' +
      '.readthedocs.y* Jenkinsfile .replit netlify.toml vercel.json',
  ],
  [
    'run or used by package managers and build tools, also in an editor',
    'package.json binding.gyp .npmrc .yarnrc .yarnrc.yml .yarn/ .pnpmfile.* pnpmfile.* bunfig.toml .bundle/ .mvn/ ' +
      '.cargo/ build.rs pip.conf uv.toml .condarc build.gradle* settings.gradle* CMakeLists.txt CMakePresets.json ' +
      'Package.swift mix.exs *.csproj *.fsproj *.vbproj Directory.Build.*',
  ],
  [
    'run by its interpreter or debugger',
    'conftest.py sitecustomize.py usercustomize.py *.pth .gdbinit .lldbinit .irbrc .pryrc .Rprofile .Renviron .ghci ' +
      '.ocamlinit .latexmkrc latexmkrc',
  ],
  [
    'read by the desktop when the folder is shown',
    'autorun.inf *.scf *.lnk *.url *.desktop *.library-ms *.searchconnector-ms',
  ],
];

/** Examples of settings, which no program loads. */
const EXAMPLE = /(?:^|\/)\.env\.(?:example|sample|template|dist)$/;

/** Returns a pattern of folded paths. The end of the matched path is not anchored for a folder. */
function patternOf(paths: readonly string[]): RegExp {
  const patterns = paths.map(
    (path) => foldedPath(path).replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*') + (path.endsWith('/') ? '' : '$'),
  );
  return new RegExp(`(?<=^|/)(?:${patterns.join('|')})`);
}

/** Skills in the folder of a client do not run by themselves. */
const NO_SKILLS = '(?!(?:agent/)?skills?(?:-[^/]*)?/)';

const FILES: readonly (readonly [string, RegExp])[] = [
  [
    'loaded by coding agents, which run its hooks',
    new RegExp(patternOf(CLIENT_FOLDERS.map((folder) => `${folder}/`)).source + NO_SKILLS),
  ],
  ...PATHS.map(([why, paths]) => [why, patternOf(paths.split(' '))] as const),
];
