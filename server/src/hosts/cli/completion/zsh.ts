/** Completion in zsh. */
import { type Completed, followed, quoted, valued } from './completed.ts';
import type { Value } from './values.ts';

export const toZsh = (all: readonly Completed[]): string => `#compdef skill-composer
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
