/** The script that completes the program's command lines in a shell. */
import type { Command } from 'commander';
import type { Shell } from '../words.ts';
import {
  type Completed,
  type CompletedOption,
  completedCommands,
  followed,
  quoted,
  steps,
  valued,
} from './completed.ts';
import type { Value } from './values.ts';

/** Completion in bash, from 3.2 on. */
const toBash = (all: readonly Completed[]): string => `# Completion of skill-composer in bash.
_skill_composer() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) command='' takes='' assigned='' words='' paths='' add='' i word
  COMPREPLY=()
${followed(all, 'COMP_WORDS', 'COMP_CWORD', 1)}
  if [[ $cur == '=' ]]; then
    cur='' assigned=1
  elif [[ \${COMP_WORDS[at]} == '=' ]]; then
    at=$((at - 1)) assigned=1
  fi
  word=\${COMP_WORDS[at]}
  if [[ $assigned && $word != -* ]]; then
    # \`--rule=NAME=\` has a sign of equality before the name, too.
    [[ \${COMP_WORDS[at - 1]} == '=' ]] && at=$((at - 1))
    word="\${COMP_WORDS[at - 1]}="
  fi
  case "$command/$word" in
${valued(all)
  .flatMap(({ key, value }) => [
    `    ${quoted(key)}) ${settingInBash(value)} ;;\n`,
    ...(value.assigned ? [`    ${quoted(`${key}=`)}) ${settingInBash(value.assigned)} ;;\n`] : []),
  ])
  .join('')}    *)
      [[ $assigned ]] && return
      case "$command/$cur" in
${all
  .flatMap(({ path, options, commands, argument }) => [
    `        ${quoted(`${path}/-`)}*) words=${quoted(options.map(({ flag }) => flag).join(' '))} ;;\n`,
    `        ${quoted(`${path}/`)}*) ${commands.length > 0 ? `words=${quoted(commands.map(({ name }) => name).join(' '))}` : settingInBash(argument)} ;;\n`,
  ])
  .join('')}      esac
      ;;
  esac
  while IFS= read -r word; do
    [[ $word ]] && COMPREPLY+=("$word$add")
  done < <(
    [[ $words ]] && compgen -W "$words" -- "$cur"
    [[ $paths ]] && compgen "$paths" -- "$cur"
  )
  [[ $paths ]] && compopt -o filenames 2>/dev/null
  [[ $add ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _skill_composer skill-composer
`;

function settingInBash({ words, paths, assigned }: Value): string {
  const set = [
    ...(words.length > 0 ? [`words=${quoted(words.join(' '))}`] : []),
    ...(paths ? [`paths=${paths === 'files' ? '-f' : '-d'}`] : []),
    ...(assigned ? ["add='='"] : []),
  ];
  return set.join(' ') || ':';
}

/** Completion in zsh. */
const toZsh = (all: readonly Completed[]): string => `#compdef skill-composer
# Completion of skill-composer in zsh.
_skill_composer() {
  local command='' takes='' word previous=\${words[CURRENT-1]}
  local -a found
  integer i
${followed(all, 'words', 'CURRENT', 2)}
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P 1 '*='
  elif [[ -z $takes ]]; then
    previous=''
  fi
  case "$command/$previous" in
${valued(all)
  .map(({ key, value }) => `    ${quoted(key)}) ${adding(value)} ;;\n`)
  .join('')}    */-*) ;;
    *)
      case "$command/$PREFIX" in
${all
  .flatMap(({ path, options, commands, argument }) => [
    `        ${quoted(`${path}/-`)}*) found=(${described(options.map(({ flag, description }) => [flag, description]))}); _describe -o option found ;;\n`,
    `        ${quoted(`${path}/`)}*) ${
      commands.length > 0
        ? `found=(${described(commands.map(({ name, description }) => [name, description]))}); _describe command found`
        : adding(argument)
    } ;;\n`,
  ])
  .join('')}      esac
      ;;
  esac
}
if [[ \${funcstack[1]} == _skill_composer ]]; then
  _skill_composer "$@"
else
  compdef _skill_composer skill-composer
fi
`;

const described = (words: readonly (readonly [string, string])[]): string =>
  words.map(([word, description]) => quoted(`${word}:${description.replaceAll(/[\\:]/g, '\\$&')}`)).join(' ');

function adding({ words, paths, assigned }: Value): string {
  const known = words.map(quoted).join(' ');
  if (assigned) return `if compset -P 1 '*='; then ${adding(assigned)}; else compadd -qS '=' -- ${known}; fi`;
  if (words.length > 0) return `compadd -- ${known}`;
  if (paths) return paths === 'files' ? '_files' : '_files -/';
  return ':';
}

// Completion in fish, from 3.0 on.

const COMPLETE = 'complete -c skill-composer';

const toFish = (all: readonly Completed[]): string => `# Completion of skill-composer in fish.
function __skill_composer_in
    set -l command ''
    set -l takes ''
    for word in (commandline -opc)[2..-1]
        if test -n "$takes"
            set takes ''
            continue
        end
        switch "$command/$word"
${steps(all)
  .map(([key, path]) => `            case ${quotedForFish(key)}\n                set command ${quotedForFish(path)}\n`)
  .join('')}            case ${valued(all)
  .map(({ key }) => quotedForFish(key))
  .join(' ')}
                set takes 1
        end
    end
    test "$command" = "$argv"
end
${COMPLETE} -f
${all.flatMap(linesOf).join('\n')}
`;

function linesOf({ path, commands, options, argument }: Completed): readonly string[] {
  const inside = `${COMPLETE} -n ${quotedForFish(`__skill_composer_in ${path}`.trim())}`;
  return [
    ...commands.map(({ name, description }) => `${inside} -a ${quotedForFish(name)} -d ${quotedForFish(description)}`),
    ...(argument.paths || argument.words.length > 0 ? [`${inside}${proposing(argument)}`] : []),
    ...options.map((option) => `${inside}${optionOf(option)}`),
  ];
}

const optionOf = ({ flag, description, value }: CompletedOption): string =>
  ` -l ${flag.slice(2)}${value ? ` -r${proposing(value)}` : ''} -d ${quotedForFish(description)}`;

function proposing({ words, paths, assigned }: Value): string {
  if (paths) return paths === 'files' ? ' -F' : " -f -a '(__fish_complete_directories)'";
  if (assigned && assigned.words.length > 0) return ` -f -a '{${words.join(',')}}={${assigned.words.join(',')}}'`;
  return words.length > 0
    ? ` -f -a ${quotedForFish(words.map((word) => (assigned ? `${word}=` : word)).join(' '))}`
    : ' -f';
}

const quotedForFish = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish };

export const completionScript = (program: Command, shell: Shell): string => SCRIPTS[shell](completedCommands(program));
