/** Completion in fish, from 3.0 on. */
import { type Completed, type CompletedOption, steps, valued } from './completed.ts';
import type { Value } from './values.ts';

const COMPLETE = 'complete -c skill-composer';

export const toFish = (all: readonly Completed[]): string => `# Completion of skill-composer in fish.
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
  .map(([key, path]) => `            case ${quoted(key)}\n                set command ${quoted(path)}\n`)
  .join('')}            case ${valued(all)
  .map(({ key }) => quoted(key))
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
  const inside = `${COMPLETE} -n ${quoted(`__skill_composer_in ${path}`.trim())}`;
  return [
    ...commands.map(({ name, description }) => `${inside} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(argument.paths || argument.words.length > 0 ? [`${inside}${proposing(argument)}`] : []),
    ...options.map((option) => `${inside}${optionOf(option)}`),
  ];
}

const optionOf = ({ flag, description, value }: CompletedOption): string =>
  ` -l ${flag.slice(2)}${value ? ` -r${proposing(value)}` : ''} -d ${quoted(description)}`;

function proposing({ words, paths, assigned }: Value): string {
  if (paths) return paths === 'files' ? ' -F' : " -f -a '(__fish_complete_directories)'";
  if (assigned && assigned.words.length > 0) return ` -f -a '{${words.join(',')}}={${assigned.words.join(',')}}'`;
  return words.length > 0 ? ` -f -a ${quoted(words.map((word) => (assigned ? `${word}=` : word)).join(' '))}` : ' -f';
}

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
