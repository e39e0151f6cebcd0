export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** The line that stands for files and folders. */
export const FILES = ':files';

/** The scripts ask `fanfare completion words`, so that they stay right after an upgrade. Each line has a word, a tab and its meaning. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of fanfare for bash: source <(fanfare completion bash)
_fanfare() {
  local IFS=$'\\n' word current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [ "$word" = '${FILES}' ]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "$current"))
    else
      COMPREPLY+=("$(printf '%q' "$word")")
    fi
  done < <("\${COMP_WORDS[0]}" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _fanfare fanfare`,
  zsh: `#compdef fanfare
# Completion of fanfare for zsh: source <(fanfare completion zsh)
_fanfare() {
  local line files=0
  local -a found
  for line in "\${(@f)$("\${words[1]}" completion words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == '${FILES}' ]]; then files=1
    elif [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  if (( $#found )); then _describe 'fanfare' found; fi
  if (( files )); then _files; fi
}
compdef _fanfare fanfare`,
  fish: `# Completion of fanfare for fish: fanfare completion fish | source
function __fanfare_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in ($words[1] completion words -- $words[2..-1] "$current" 2>/dev/null)
    if test "$line" = '${FILES}'
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c fanfare -f -a '(__fanfare_complete)'`,
};
