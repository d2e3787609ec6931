/** Completion in bash, from 3.2 on. */
import { type Completed, followed, quoted, valued } from './completed.ts';
import type { Value } from './values.ts';

export const toBash = (all: readonly Completed[]): string => `# Completion of skill-composer in bash.
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
    `    ${quoted(key)}) ${setting(value)} ;;\n`,
    ...(value.assigned ? [`    ${quoted(`${key}=`)}) ${setting(value.assigned)} ;;\n`] : []),
  ])
  .join('')}    *)
      [[ $assigned ]] && return
      case "$command/$cur" in
${all
  .flatMap(({ path, options, commands, argument }) => [
    `        ${quoted(`${path}/-`)}*) words=${quoted(options.map(({ flag }) => flag).join(' '))} ;;\n`,
    `        ${quoted(`${path}/`)}*) ${commands.length > 0 ? `words=${quoted(commands.map(({ name }) => name).join(' '))}` : setting(argument)} ;;\n`,
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

function setting({ words, paths, assigned }: Value): string {
  const set = [
    ...(words.length > 0 ? [`words=${quoted(words.join(' '))}`] : []),
    ...(paths ? [`paths=${paths === 'files' ? '-f' : '-d'}`] : []),
    ...(assigned ? ["add='='"] : []),
  ];
  return set.join(' ') || ':';
}
