/**
 * Examples for the table of dangerous uses: program by program, commands that must ask under a wide allow rule and
 * commands that must not. Words are separated by one space; `_` stands for a space inside a word, `⏎` for a new line.
 */
export interface Examples {
  readonly fires: ReadonlyArray<string>
  readonly harmless: ReadonlyArray<string>
}

const examples = (fires: string, harmless: string): Examples => ({
  fires: fires
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
  harmless: harmless
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
})

/** The words of an example. */
export const words = (line: string): ReadonlyArray<string> =>
  line.split(" ").map((word) => word.replaceAll("_", " ").replaceAll("⏎", "\n").replaceAll("␣", "_"))

export const all: Readonly<Record<string, Examples>> = {
  git: examples(
    `git -c alias.z=!id z
     git -c core.pager=id log
     git -ccore.pager=id log
     git --config-env=core.pager=X log
     git --exec-path=. x
     git --git-dir=../evil/.git log
     git --work-tree /tmp status
     git -p log
     git --paginate log
     git -C sub -p log
     git --bare log
     git --unknown log
     git st
     /usr/bin/git push --force
     git log --output=f
     git shortlog -n --output=f
     git diff --outp f
     git diff --ext-diff
     git show --textconv
     git cat-file --textconv HEAD:f
     git format-patch -o out HEAD
     git format-patch --output-dir out HEAD
     git grep -O./h.sh x
     git grep --open-files-in-pager=./h x
     git grep --open x
     git grep -inO./h x
     git archive -o f HEAD
     git archive --remote=ext::id HEAD
     git archive --exec=id HEAD
     git bundle create f HEAD
     git fetch --upload-pack=id o
     git ls-remote --upload-pack id o
     git ls-remote ext::sh_-c_id
     git clone ext::id
     git clone -u id host:x
     git clone -c core.pager=id x
     git clone --template=t x
     git init --template=t
     git push --receive-pack=id o
     git push --exec=id o
     git push -f
     git push origin main -f
     git push -uf origin main
     git push --force-with-lease
     git push --force-w
     git push --mirror
     git push -d origin x
     git push --delete origin x
     git push origin +main
     git push origin :main
     git fetch origin +a:b
     git fetch -f origin a:b
     git branch -D m
     git branch -vD m
     git branch -d m
     git branch -m a b
     git branch -M a
     git branch -f a b
     git branch --edit-description
     git tag -d v1
     git tag -f v1
     git checkout -f
     git checkout -B main
     git switch -C main
     git switch --discard-changes main
     git checkout -- f
     git checkout .
     git checkout HEAD f
     git checkout src/a.ts
     git checkout --ours f
     git restore f
     git restore -SW f
     git restore --staged --worktree f
     git reset --hard
     git reset --har
     git read-tree --reset HEAD
     git clean -f
     git clean -xdf
     git clean -x
     git rm f
     git stash drop
     git stash clear
     git stash pop
     git worktree add ../x
     git worktree remove x
     git reflog expire --all
     git rerere clear
     git gc --prune=now
     git update-ref -d refs/heads/x
     git filter-branch x
     git symbolic-ref HEAD refs/heads/x
     git rebase -x id
     git rebase --exec=id main
     git rebase -i HEAD~2
     git pull --rebase=interactive
     git merge -s evil x
     git bisect run ./x
     git submodule foreach id
     git submodule --quiet update
     git difftool
     git mergetool
     git instaweb
     git help -w log
     git interpret-trailers --in-place f
     git am x.patch
     git apply x.patch
     git apply --index x.patch
     git apply --stat --apply x.patch
     git apply --check --apply x.patch
     git mv -f a b
     git apply
     git send-email x
     git p4 sync
     git upload-pack .
     git config core.pager id
     git config --add a.b c
     git config -e
     git config --unset a.b
     git config set a.b c
     git config edit
     git config --typ --get core.pager id
     git config -- core.pager --list
     git checkout -q -- f
     git clean --excl -n
     git remote add x y
     git remote set-url origin y
     git maintenance start
     git diff --no-index /etc/passwd /dev/null`,
    `git status
     git -C sub status
     git --no-pager log
     git --version
     git log -p
     git log --oneline -5
     git log --grep=$(rm_x)
     git log --text
     git log --author --output=x
     git shortlog -sn
     git diff --stat
     git diff --output=/dev/stdout
     git diff -- --output=x
     git diff --no-index a b
     git show HEAD:f
     git cat-file -p HEAD
     git format-patch --stdout HEAD
     git grep -n TODO
     git grep -e -O
     git archive HEAD
     git bundle verify f
     git fetch --prune origin
     git ls-remote origin
     git clone https://x.org/y.git
     git init
     git pull --rebase
     git push
     git push -u origin main
     git push origin HEAD:main
     git branch
     git branch -vv
     git branch new
     git tag v1
     git tag -m -d v1
     git checkout main
     git checkout -b feature/x origin/main
     git switch -c x
     git restore --staged f
     git reset HEAD f
     git read-tree --prefix=x HEAD
     git clean -n
     git clean --help
     git rm --help
     git stash
     git stash list
     git stash push -m drop
     git worktree list
     git reflog
     git rerere status
     git gc
     git update-ref --help
     git symbolic-ref HEAD
     git rebase main
     git merge -s ours x
     git merge feature
     git bisect good
     git submodule status
     git difftool --help
     git help log
     git interpret-trailers f
     git am --help
     git apply --check x.patch
     git apply --stat x.patch
     git apply --help
     git p4 --help
     git upload-pack --help
     git config --get user.name
     git config --list
     git config --global --get user.name
     git config user.name
     git config get user.name
     git remote -v
     git remote show origin
     git maintenance run
     git commit -m -D
     git commit -m --force
     git commit --amend
     git add -A
     git mv a b`
  ),
  search: examples(
    `find . -exec id ;
     find . -execdir id ;
     find . -ok id ;
     find . -okdir id ;
     gfind . -name x -delete
     find . -fprint f
     find . -fprint0 f
     find . -fprintf f x
     find . -fls f
     find -files0-from f
     fd -x id
     fd --exec id
     fd -HX rm
     fdfind --exec-batch rm
     rg --pre ./h.sh x
     rg --pre=./h.sh x
     rg --hostname-bin h x
     rg -z x
     rg -nz x
     rg --search-zip x
     ag --pager id x
     ack --pager=id x
     ag -z x
     ack --ackrc=f x
     ack --output=\${\`id\`} x
     fzf --preview id
     parallel id
     entr make`,
    `find . -name *.ts -type f -maxdepth 2 -print0
     find . -name -delete
     rg -n --glob *.ts foo
     rg -e --pre
     rg -- --pre
     rg --pretty x
     rg -g -z x
     fd -e ts
     fd -E -x
     ag -n x
     ack x
     fzf -q x
     parallel --version
     grep -rn -f pats x
     grep -z x`
  ),
  text: examples(
    `sed -i s/a/b/ f
     sed -ni s/a/b/ f
     sed -i.bak s/a/b/ f
     sed --in-place s/a/b/ f
     sed --in-pl=.b s/a/b/ f
     sed -f s f
     sed --file=s f
     sed 1e_id f
     sed s/x/id/e f
     sed s/x/id/ge f
     sed -n -e p -e 1e_id f
     sed --expression=1e f
     sed --expr=1e f
     sed --expr 1e f
     sed p;w_f g
     sed s/a/b/w_f g
     sed /[/]/w_f
     sed s/[/]/;w_f;s/x/y/
     sed a\\⏎x⏎e_id f
     sed {p;e_id⏎} f
     sed b_x_s/a/b/e f
     sed r_/etc/passwd f
     sed ?? f
     sed -l -i p f
     sed -l 1p e_id f
     sed --line 1p e_id f
     sed -nl 1p e_id f
     sed -l 5 w_out f
     awk BEGIN{system("id")}
     awk {print_|_"sh"}
     awk {print_>_"f"}
     awk {print_>>"f"}
     awk {print($1)_>_"f"}
     awk {"id"|getline_x}
     awk {while((getline_l<"f")>0)print_l}
     awk {$1system("id")}
     awk @load_"x";{print}
     awk {if(x)/"/;system("id")}#"
     awk /[/]/{print>"f"}#/
     gawk --fiel : BEGIN{system("id")}
     gawk -i inplace {print}
     gawk --load=x {print}
     awk -f p f
     gawk -E p f
     gawk -o {print}
     gawk --pretty-print=f {print}
     gawk -D {print}
     mawk -W exec=f
     sort --compress-program=./h.sh
     sort --compress-pro ./h.sh
     sort -o f f
     sort -uo f f
     sort f -of
     sort --files0-from=f
     sort --par -- --compress-program=x
     uniq a b
     tee f
     tee -a f
     less +!id f
     less -o out f
     less --log-file=x f
     less -k x f
     less -t x
     man --html=./h.sh ls
     man -H./h ls
     man -P id ls
     man --pager=id ls
     man -p t ls
     man -C f ls
     diff -l a b
     sdiff --diff-program=id a b
     patch -p1
     iconv -o f g
     shuf -o f g
     lp f
     split --filter=id f
     split f
     xxd -r in out
     base64 -o f
     yq -i .a=1 f
     yq -s .a f
     yq --from-file x f
     yq --security-enable-system-operator x
     yq load("f")
     jq -f p f
     jq -i . f
     jq import_"a"_as_$a;. f
     bat --pager=id f
     vim f
     m4 f
     dc -e !id
     pandoc -F ./h f
     pandoc f --lua-filter=x
     pandoc -o f.pdf f.md
     pdflatex f
     exiftool -config x f
     exiftool -if system(1) f
     exiftool -Artist=x f`,
    `sed -n 1,20p f
     sed s/a/b/g f
     sed -E s|/we/|/e/|;/re/d f
     sed -ne /^start/,/end$/p f
     sed s/[^/]*$// f
     sed w_/dev/stdout f
     sed --sandbox 1e_id f
     sed $!N;P;D f
     sed :a;N;$!ba;s/\\n/_/g f
     sed 1a\\⏎we_write f
     sed y/abc/xyz/ f
     sed /^#/d;s/x/e/I f
     awk {print_$1} f
     awk $1_>_5 f
     awk -F: $3>=1000{print_$1} f
     awk {if(($1_>_2)||x)print_"a|b>c"} f
     awk /a|b/{print} f
     awk {print_$1/2,_($3>4)} f
     awk -v a=system {print_a} f
     awk -W version
     gawk {print} -o
     sort -u -k2 f
     sort -t -o f
     sort -o - f
     sort -S 1G -T /tmp f
     uniq -c f
     uniq f -
     tee
     tee /dev/null
     less f
     less +G f
     less +/class f
     man ls
     man 3 printf
     diff -u a b
     sdiff a b
     patch --dry-run -p1
     iconv -f latin1 f
     shuf -n 2 f
     lp --help
     split --help
     xxd -r f
     base64 -d f
     yq .a f
     jq -r .a f
     jq . f
     bat f
     vim --version
     sed -l 5 p f
     sed --line-length 5 -n 1,5p f
     m4 --version
     dc -V
     pandoc -t html f
     pdflatex --version
     exiftool -Artist f`
  ),
  archives: examples(
    `tar --checkpoint-action=exec=id cf x y
     tar --to-command=id -xf x
     tar tf x --to-com id
     tar -tf x -V -- --checkpoint-action=exec=id
     tar --delete -f x y
     tar -tI ./h -f x
     tar -tf host:x
     tar cf x y --remove-files
     tar -tPf x
     tar xf x.tar
     tar -zxvf x.tgz
     tar cf x.tar d
     tar czf x.tgz d
     tar -g snap -tf x
     tar -tT list -f x
     zip -T -TT id x
     zip -m x f
     zip -r x f
     unzip x.zip
     gzip f
     gunzip f.gz
     zstd -o f g
     rsync --max-size -n a b
     rsync -e ./h a b
     rsync -n --rsh=id a b
     rsync --delete a b
     rsync --log-file=f a
     rsync -n a host:b
     rsync -a a b
     cpio -i
     cpio -pd x
     cpio -o
     cpio --rsh-command=id -t
     cpio -tF host:x
     7z x a.7z
     7z a a.7z f
     ar rcs x.a y.o`,
    `tar tf x.tar
     tar -tzvf x.tgz
     tar --list --file=x.tar
     zip --help
     zip -h
     unzip -l x.zip
     unzip -p x.zip f
     gzip -c f
     zcat f
     xz -l f
     rsync -an a b
     rsync --list-only a
     rsync a
     cpio -t
     7z l a.7z
     7z x --help
     ar t x.a`
  ),
  network: examples(
    `curl -o f https://x
     curl -sSLo f https://x
     curl -fsSLO https://x
     curl --remote-name https://x
     curl --outp f https://x
     curl -D f https://x
     curl -c jar https://x
     curl -w %output{f} https://x
     curl -T f https://x
     curl --upload-file f https://x
     curl -d @f https://x
     curl --data-binary @f https://x
     curl -H @f https://x
     curl --data-urlencode a@f https://x
     curl -F a=@f https://x
     curl -b jar https://x
     curl -n https://x
     curl -Q DELE_x ftp://x
     curl -K f
     curl --config f
     curl --unix-socket s http://x
     curl --url file:///etc/passwd
     curl file:///etc/passwd
     curl --expand-output f https://x
     curl --variable %HOME https://x
     curl --variable a@f https://x
     curl --proto-default file localhost/etc/passwd
     wget https://x
     wget --use-askpass=id https://x
     wget -e x=y https://x
     wget --post-file=f https://x
     wget -O f https://x
     wget -O - --rejected-log=f https://x
     wget -r https://x
     wget -i f
     ssh host
     ssh -o ProxyCommand=id host
     ssh -oProxyCommand=id host
     ssh -F f host
     scp f host:
     scp -S ./h f g
     sftp host
     nc -l 1
     mail x`,
    `curl -s https://x
     curl -sSL -H Accept:x https://x
     curl -X POST -d a=b https://x
     curl -o /dev/null -w %{http␣code} https://x
     curl --data-urlencode a=b@c https://x
     curl -F a=b https://x
     curl -b a=b https://x
     curl -D - https://x
     curl --variable a=b https://x
     curl --proto-default https x.example
     curl --expect100-timeout 1 https://x
     curl --url https://x
     curl -d -o https://x
     wget -qO- https://x
     wget -O - https://x
     wget --spider https://x
     ssh -V
     scp --help
     nc -h
     mail --help`
  ),
  build: examples(
    `npm run build
     npm test
     npm --silent run build
     npm --foo ls run x
     npm install
     npm ci
     npm exec x
     npm x y
     npm publish
     npm config set a b
     npm pkg set a=b
     npm cache clean
     npm version patch
     npm audit fix
     npm ls --script-shell=x
     npm whatever
     pnpm test
     pnpm add x
     pnpm ls --shell=x
     pnpm audit --fix
     pnpm config set a b
     yarn
     yarn build
     yarn run x
     yarn add x
     yarn config set a b
     bun run x
     bun x.ts
     bun -e 1
     bun install
     bun pm trust x
     npx x
     make
     make -n
     make all
     cargo build
     cargo --config x tree
     cargo tree --config x
     cargo publish
     go run .
     go build -o f
     go list -toolexec=id ./...
     go list --toolexec id
     go env -w A=b
     pip install x
     pip3 install x
     pip list --python x
     pip config set a b
     pip cache purge
     uv run x
     uv version 2
     gem install x
     gradle build
     mvn test
     pytest
     dotnet run`,
    `npm ls
     npm view react versions
     npm outdated
     npm --version
     npm -v
     npm help
     npm run --help
     npm install --help
     npm ls --global
     npm audit
     npm version
     npm config get registry
     npm pkg get name
     npm cache ls
     pnpm ls
     pnpm audit
     pnpm why x
     pnpm run --help
     pnpm add --help
     pnpm config get x
     yarn --version
     yarn why x
     yarn run --help
     yarn add --help
     yarn config get x
     bun --version
     bun run --help
     bun add --help
     bun pm ls
     npx --version
     make --version
     cargo tree
     cargo --version
     cargo build --help
     cargo add --help
     go version
     go list ./...
     go env GOPATH
     go run -help
     pip list
     pip show x
     pip install --help
     pip config list
     pip cache dir
     uv --version
     uv run --help
     uv version
     gem list
     gem install --help
     gradle --version
     pytest --version
     dotnet --info`
  ),
  interpreters: examples(
    `python script.py
     python -c x
     python3.12 -m http.server
     python
     /usr/bin/python3 -Ic x
     node -e x
     node x.js
     node --require=./p.js --version
     perl -ne print
     perl x.pl
     ruby -e x
     ruby -v x.rb
     php -r x
     php x.php
     lua -e x
     lua5.4 x.lua
     deno run x
     deno
     deno x.ts
     bash -c id
     sh x.sh
     java -jar x
     sqlite3 x.db`,
    `python --version
     python -V
     python3 --version
     node --version
     node -v
     perl -v
     ruby -v
     php -v
     lua -v
     deno --version
     deno run --help
     bash --version
     java -version
     sqlite3 -version`
  ),
  containers: examples(
    `docker run x
     docker exec -it x sh
     docker build .
     docker rm x
     docker cp a b
     docker -H ssh://x ps
     docker --context x ps
     docker system prune
     docker container exec x id
     docker image rm x
     docker compose up
     docker compose -f x.yml up
     docker-compose up
     docker plugin x
     kubectl exec x
     kubectl apply -f x
     kubectl get pods --kubeconfig=x
     kubectl config set x
     helm install x
     helm list --post-renderer x
     terraform apply`,
    `docker ps -a
     docker images
     docker logs -f x
     docker run --help
     docker rm --help
     docker cp --help
     docker system df
     docker container ls
     docker image ls
     docker compose ps
     docker compose -f x.yml ps
     docker-compose ps
     kubectl get pods -o yaml
     kubectl -n x get pods
     kubectl exec --help
     kubectl apply --help
     kubectl config view
     helm list
     helm install --help
     terraform version
     terraform apply --help`
  ),
  forges: examples(
    `gh api -X DELETE repos/a/b
     gh api repos/a/b -f name=x
     gh api --method=POST repos/a/b
     gh api repos/a/b --input f
     gh pr merge 1
     gh pr create
     gh issue close 1
     gh repo delete a/b
     gh run rerun 1
     gh release create v1
     gh workflow run x
     gh alias set x !id
     gh extension install x
     gh secret set X
     gh auth token
     gh browse
     gh unknown
     glab mr merge 1
     glab api x
     gcc -wrapper sh,-c,id x.c
     gcc -fplugin=./x.so y.c
     clang -B. x.c
     gcc -specs=x y.c
     ld -T script x.o
     gcc -fuse-ld=./x y.c
     cc @flags x.c
     hg --config alias.x=!id x
     hg log --conf alias.x=!id
     hg push --ssh id
     hg purge
     jj --config x=y log
     jj log --tool id
     jj abandon
     svn diff --diff-cmd id
     svn --config-option a:b:c=d up
     svn revert f`,
    `gh pr list
     gh pr view 1
     gh -h
     gh pr diff 1
     gh issue list -L 5
     gh repo view a/b
     gh run list
     gh run view 1
     gh release list
     gh workflow list
     gh gist list
     gh api repos/a/b
     gh api -X GET repos/a/b
     gh auth status
     gh alias --help
     gh browse --help
     gh search code x
     glab mr list
     glab api --help
     gcc -O2 -Wall -o x x.c
     cc -c x.c
     clang --version
     ld --version
     hg status
     hg log -p
     jj log
     jj op log
     svn status
     svn diff`
  ),
  system: examples(
    `dd if=a of=b
     ln a b
     ln -s a b
     rm -rf x
     rm x -R
     rm --rec x
     truncate -s 0 f
     chmod +x f
     chown a f
     date -s x
     date --set=x
     date 010112002027
     mount a b
     env rm x
     env A=1 rm x
     env -S rm_x
     env -iS rm_x
     sudo ls
     watch ls
     flock l rm x
     systemctl stop x
     systemctl status -H x
     systemctl -H x status
     launchctl load x
     service x stop
     crontab x
     crontab -r
     at now
     gdb x
     strace ls
     tmux new
     tree -o f
     mktemp -p /etc
     mktemp --tmpdir=/etc
     mktemp ../x.XXX
     mkfs /dev/x
     reboot
     sysctl -w a=b
     sysctl a=b
     journalctl --vacuum-time=1s
     dmesg -C
     open x
     visudo
     useradd x
     apt install x
     apt -o x=y list
     apt list -o x=y
     busybox rm x
     tcpdump -z id -w f
     ip -batch f
     ip netns exec a rm x
     ip link set eth0 down
     jobs -x rm x
     ssh-agent rm x`,
    `dd if=a
     dd if=a of=/dev/null
     ln --help
     rm f
     rm -- -r
     truncate --help
     chmod --help
     date
     date +%s
     date -d tomorrow +%F
     date -r f
     mount
     env
     env A=1
     sudo -l
     watch --version
     systemctl status x
     systemctl --user list-units
     systemctl stop --help
     launchctl list
     launchctl load --help
     service x status
     crontab -l
     at -l
     gdb --version
     tmux ls
     tree -L 2
     mktemp
     mktemp -d
     mktemp /tmp/x.XXX
     mkfs -V
     reboot --help
     sysctl kernel.x
     journalctl -u x
     dmesg
     open --help
     visudo --help
     useradd --help
     apt list
     apt install --help
     busybox
     tcpdump -n
     ip a
     ip route show
     jobs -l
     ssh-agent -V`
  )
}
