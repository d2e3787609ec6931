/** The programs that the commands of a skill begin with (docs/abilities.md, "Commands"). */
import type { SkillFile } from '../skill/skill-file.ts';
import { sliceOf } from '../text.ts';
import type { FolderFile } from './folder.ts';
import { languageOf, withoutComments } from './scripts.ts';

const SHELL_FENCES: ReadonlySet<string> = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'shell-session']);

/** Words of the shell itself, which nobody needs to allow. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'if then else elif fi for do done while until case esac in function return exit export set unset local declare readonly shift trap eval exec source read true false test cd echo printf pushd popd time wait break continue'.split(
    ' ',
  ),
);

const PROGRAM =
  /^[ \t]{0,40}(?:[$>] )?(?:sudo |env |exec |time )?(?:[A-Z_]{1,40}=\S{0,200} ){0,5}([a-z][\w.-]{0,40})(?=[ \t]|$)/;

/** More of a skill's text is not read, in characters. */
const MAX_READ = 500_000;
const MAX_LISTED = 30;

/** Of its fences for a shell and its scripts, those that stand there most first. */
export function programsOf(skill: SkillFile, files: readonly FolderFile[]): readonly string[] {
  const fences = (skill.body?.fences ?? [])
    .filter(({ lang }) => SHELL_FENCES.has(lang))
    .map(({ contentSpan }) => sliceOf(skill.text, contentSpan));
  const scripts = files.flatMap(({ path, text }) =>
    text !== undefined && languageOf(path, text) === 'shell' ? [withoutComments('shell', text)] : [],
  );
  const counts = new Map<string, number>();
  const lines = [...fences, ...scripts].join('\n').slice(0, MAX_READ).split('\n');
  for (const command of lines.flatMap((line) => line.split(/&&|\|\||[|;]/))) {
    const program = PROGRAM.exec(command.trimEnd())?.[1];
    if (program !== undefined && !OWN_WORDS.has(program)) counts.set(program, (counts.get(program) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_LISTED)
    .map(([program]) => program);
}
