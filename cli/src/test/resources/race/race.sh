# Calls every key once, with curl at a socket. Arguments: keys, effects file, answers file, socket.
call() { curl -s --unix-socket "$socket" --json "$2" "http://idem/v1/$1"; }
id() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
count=$1 effects=$2 answers=$3 socket=$4
touch "$answers.ready"
while [ ! -e go ]; do sleep 0.01; done
open=1
while [ $open = 1 ]; do
    open=0
    # It is the slowest: from the other end it gets its share.
    for key in $(seq $((count - 1)) -1 0); do
        claim=$(call claim "{\"operation\":\"race\",\"identity\":{\"order\":$key,\"cents\":9007199254740993,\"rate\":\"1.10\"},\"attempt_id\":\"$(id)\",\"policy\":\"lease: 3s\"}")
        case $claim in
            *'"answer":"granted"'*)
                open=1
                ticket=${claim#*'"ticket":"'}
                ticket=${ticket%%'"'*}
                echo "$key shell" >>"$effects"
                sleep 0.03
                call settle "{\"ticket\":\"$ticket\",\"as\":\"complete\",\"result\":{\"by\":\"shell\",\"order\":$key}}" >/dev/null
                ;;
            *'"answer":"replay"'*)
                result=${claim#*'"result":'}
                echo "$key ${result%?}" >>"$answers"
                ;;
            *'"answer":"in_doubt"'*) ;;
            *)
                open=1
                sleep 0.05
                ;;
        esac
    done
done
