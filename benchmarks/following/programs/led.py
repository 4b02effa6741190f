import torch
from transformers import LEDConfig, LEDModel


def main():
    config = LEDConfig(
        vocab_size=99,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=37,
        decoder_ffn_dim=37,
        attention_window=4,
        max_encoder_position_embeddings=64,
        max_decoder_position_embeddings=64,
    )
    model = LEDModel(config).eval()
    compiled = torch.compile(model, backend="eager")
    ids = torch.randint(0, 99, (2, 8))
    with torch.no_grad():
        compiled(input_ids=ids, decoder_input_ids=ids)


if __name__ == "__main__":
    main()
